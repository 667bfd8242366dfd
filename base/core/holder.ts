// A value on its way through promises, to all who share it. Promises older than the value stay in the old generation until its next
// collection, and so does what they resolve to: the holder, which is empty by then (docs/performance.md).

export class Holder<T> {
  #value: T | undefined
  #takers = 1

  constructor(value: T) {
    this.#value = value
  }

  /** how many will take it, if it is not one */
  share(takers: number) {
    this.#takers = takers
  }

  /** without taking it: before anybody took it */
  peek(): T {
    if (this.#takers === 0) throw new Error('all who share the value have taken it')
    return this.#value as T
  }

  take(): T {
    const value = this.peek()
    if (--this.#takers === 0) this.#value = undefined
    return value
  }
}
