// The end of something before it is done, and those who want to hear of it. An AbortSignal is one too; a request needs three,
// and an EventTarget takes some microseconds to be made, listened to and forgotten (docs/performance.md).

/** what whoever waits needs of it */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export class Ending implements Signal {
  aborted = false
  reason: unknown = undefined
  /** where it stands among those that end with another */
  place = -1
  /** most have one */
  #listener: (() => void) | undefined = undefined
  #others: Set<() => void> | undefined = undefined

  /** once: what comes later changes nothing */
  abort(reason: unknown) {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const first = this.#listener
    this.#listener = undefined
    first?.()
    for (const listener of this.#others ?? []) listener()
    this.#others = undefined
  }

  addEventListener(_type: 'abort', listener: () => void) {
    if (this.aborted) return
    if (!this.#listener) this.#listener = listener
    else (this.#others ??= new Set()).add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void) {
    if (this.#listener === listener) this.#listener = undefined
    else this.#others?.delete(listener)
  }
}

/**
 * An end that many short ones follow. They stand in an array, each knowing its place: a Set that lives long leaves its old
 * tables to the slow collector, and with them all that stood in one when it was outgrown (docs/performance.md).
 */
export class Finale {
  #reason: unknown = undefined
  #isOver = false
  readonly #followers: Ending[] = []

  follow(ending: Ending) {
    if (this.#isOver) return ending.abort(this.#reason)
    ending.place = this.#followers.push(ending) - 1
  }

  unfollow(ending: Ending) {
    const { place } = ending
    if (this.#followers[place] !== ending) return
    const last = this.#followers.pop()
    ending.place = -1
    if (!last || last === ending) return
    this.#followers[place] = last
    last.place = place
  }

  abort(reason: unknown) {
    this.#isOver = true
    this.#reason = reason
    for (const ending of this.#followers.splice(0)) ending.abort(reason)
  }
}
