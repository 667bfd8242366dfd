// The context of a platform call that replicas share. It is that of its own callers; when the last of them leaves, the call
// goes on while another replica waits, until the callers' latest deadline. It is a class since an object with getters of its own has
// a hidden class of its own: V8 keeps that, and with it the whole request, until the next major collection.
import { LightAbort, type AbortGroup } from '../../../base/core/abort.ts'
import type { ReadContext } from '../platform/port.ts'

export interface LeaderRequestParts {
  readonly steady: () => number
  /** whether another replica waits */
  readonly isAwaited: () => Promise<boolean>
  /** aborted when the service stops */
  readonly stop: AbortGroup
  readonly onArrival: (bytes: number) => Promise<unknown>
}

/** the longest a call may go on without callers */
const longestMs = 60_000

export class LeaderRequest implements ReadContext {
  readonly who: ReadContext['who']
  readonly fresh: ReadContext['fresh']
  readonly cost: ReadContext['cost']
  readonly budget: ReadContext['budget']
  readonly trial: ReadContext['trial']
  readonly trace: ReadContext['trace']
  readonly signal = new LightAbort()
  readonly onArrival: LeaderRequestParts['onArrival']
  readonly #own: ReadContext
  readonly #parts: LeaderRequestParts
  /** the latest deadline of all callers, also of those who left */
  #latest: number
  #clock: NodeJS.Timeout | undefined
  #hasLanded = false

  constructor(own: ReadContext, parts: LeaderRequestParts) {
    this.who = own.who
    this.fresh = own.fresh
    this.cost = own.cost
    this.budget = own.budget
    this.trial = own.trial
    this.trace = own.trace
    this.onArrival = parts.onArrival
    this.#own = own
    this.#parts = parts
    this.#latest = own.endsAt
    own.onJoin?.((other) => (this.#latest = Math.max(this.#latest, other.endsAt)))
    own.signal.addEventListener('abort', this.#leave)
    parts.stop.follow(this.signal)
  }

  get endsAt(): number {
    return this.#own.signal.aborted ? this.#latest : this.#own.endsAt
  }

  get patient(): boolean {
    return this.#own.patient
  }

  onJoin(listener: (other: ReadContext) => void) {
    this.#own.onJoin?.(listener)
  }

  /** the call has ended */
  end() {
    this.#hasLanded = true
    clearTimeout(this.#clock)
    this.#own.signal.removeEventListener('abort', this.#leave)
    this.#parts.stop.unfollow(this.signal)
  }

  readonly #leave = () => void this.#goOn()

  async #goOn() {
    const { reason } = this.#own.signal
    const { isAwaited, steady } = this.#parts
    const isGone = reason instanceof Error && reason.name === 'AbortError'
    if (!isGone || !(await isAwaited())) return this.signal.abort(reason)
    const leftMs = Math.min(this.#latest - steady(), longestMs)
    const overdue = () => this.signal.abort(new DOMException('deadline', 'TimeoutError'))
    if (!this.#hasLanded) this.#clock = setTimeout(overdue, leftMs)
  }
}
