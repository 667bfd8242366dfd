// How work ends early: deadlines, and abort signals. AbortSignal works too, but a request needs three, and an EventTarget takes
// microseconds to create and listen to (docs/performance.md).

/** milliseconds of a clock that is never set */
export const steadyMs = (): number => performance.now()

export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export class LightAbort implements Signal {
  aborted = false
  reason: unknown = undefined
  place = -1
  #listener: (() => void) | undefined = undefined
  #others: Set<() => void> | undefined = undefined

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
 * Aborts many short-lived signals together. They are in an array and know their index: a long-lived Set leaves its old tables
 * to the slow garbage collector (docs/performance.md).
 */
export class AbortGroup {
  #reason: unknown = undefined
  #isOver = false
  readonly #followers: LightAbort[] = []

  follow(ending: LightAbort) {
    if (this.#isOver) return ending.abort(this.#reason)
    ending.place = this.#followers.push(ending) - 1
  }

  unfollow(ending: LightAbort) {
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

export function withDeadline<T, L>(promise: Promise<T>, mostMs: number, late: () => L): Promise<T | L> {
  return new Promise((ok, no) => {
    let isSettled = false
    const end = () => {
      if (!isSettled) ok(late())
    }
    // one turn later: data that arrived while this process was blocked is read first
    const timer = setTimeout(() => setImmediate(end), mostMs)
    const settled = () => {
      isSettled = true
      clearTimeout(timer)
    }
    promise.then(
      (value) => (settled(), ok(value)),
      (error: unknown) => (settled(), no(error)),
    )
  })
}
