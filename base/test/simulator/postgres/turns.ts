// What one session has at a time: advisory locks, and the right to change rows. Others wait in the order in which they asked.

interface Waiting<T> {
  readonly who: T
  readonly go: () => void
}

export class Turns<T> {
  readonly #holders = new Map<string, T>()
  readonly #waiting = new Map<string, Waiting<T>[]>()

  /** whether this one has it from now on */
  take(name: string, who: T): boolean {
    const holder = this.#holders.get(name)
    if (holder === undefined) this.#holders.set(name, who)
    return holder === undefined || holder === who
  }

  /** what is returned ends the wait */
  wait(name: string, who: T, go: () => void): () => void {
    const waiting = this.#waiting.get(name) ?? []
    this.#waiting.set(name, waiting)
    const own = { who, go }
    waiting.push(own)
    return () => {
      const at = waiting.indexOf(own)
      if (at >= 0) waiting.splice(at, 1)
    }
  }

  /** gives up all that this one has */
  leave(who: T) {
    for (const [name, holder] of this.#holders) {
      if (holder !== who) continue
      this.#holders.delete(name)
      const next = this.#waiting.get(name)?.shift()
      if (!next) continue
      this.#holders.set(name, next.who)
      // after what this one has still to say
      queueMicrotask(next.go)
    }
  }
}
