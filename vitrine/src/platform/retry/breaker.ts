// The breaker of a connection: rejects calls at once while the platform does not answer, and tries it again soon. It counts
// steady time, because a wall clock that is set back would keep it open. (Long, because lanes and connection decide together.)
import { LRUCache } from 'lru-cache'
import { Problem } from '../../problems.ts'
import { neutralLane } from '../auth/key-refusals.ts'
import type { UpstreamState } from '../port.ts'
import { RollingCount } from '../schedule/quota-window.ts'

const mostInARow = 5
const [failureShare, leastCalls, windowMs] = [0.5, 20, 10_000]
const probesMs = [1_000, 2_000, 4_000, 5_000]

export interface BreakerNews {
  /** on the steady clock: when another process last had an answer after a failure */
  answeredAt(): number
  tell(outcome: 'alive' | 'down'): void
}

const noNews: BreakerNews = { answeredAt: () => Number.NEGATIVE_INFINITY, tell: () => {} }

// Failures in a row. The first answer that another process had ends the row once: if failures go on, our own network path is
// broken, and what others have says nothing of it.
class Row {
  readonly #steady: () => number
  readonly #others: BreakerNews
  #length = 0
  #lastAt = 0
  #isForgiven = false

  constructor(steady: () => number, others: BreakerNews) {
    this.#steady = steady
    this.#others = others
  }

  end() {
    this.#length = 0
    this.#isForgiven = false
    this.#others.tell('alive')
  }

  extend(): number {
    if (this.#length > 0 && !this.#isForgiven && this.#others.answeredAt() > this.#lastAt) {
      this.#length = 0
      this.#isForgiven = true
    }
    this.#lastAt = this.#steady()
    if (this.#length === 0) this.#others.tell('down')
    return ++this.#length
  }
}

class Sample {
  readonly #steady: () => number
  #calls: RollingCount
  #failures: RollingCount

  constructor(steady: () => number) {
    this.#steady = steady
    this.#calls = this.#count()
    this.#failures = this.#count()
  }

  add(isFailure: boolean) {
    this.#calls.add()
    if (isFailure) this.#failures.add()
  }

  isBad(): boolean {
    const calls = this.#calls.total()
    return calls >= leastCalls && this.#failures.total() / calls >= failureShare
  }

  clear() {
    this.#calls = this.#count()
    this.#failures = this.#count()
  }

  #count(): RollingCount {
    return new RollingCount(windowMs, 10, this.#steady)
  }
}

type Changed = (state: UpstreamState['breaker']) => void

type Outcome = 'alive' | 'down'

export class Breaker {
  readonly #steady: () => number
  readonly #changed: Changed
  readonly #sample: Sample
  readonly #row: Row
  current: UpstreamState['breaker'] = 'closed'
  #probes = 0
  #nextProbeAt = 0

  constructor(steady: () => number, changed: Changed, others = noNews) {
    this.#steady = steady
    this.#changed = changed
    this.#sample = new Sample(steady)
    this.#row = new Row(steady, others)
  }

  check() {
    if (this.current !== 'closed' && this.#steady() < this.#nextProbeAt)
      throw new Problem('upstream_unavailable', {
        retryAfterSec: this.#retryAfterSec(),
        cause: 'the platform does not answer, and will be tried again soon',
      })
  }

  admit(): boolean {
    if (this.current === 'closed') return false
    this.check()
    // should this trial hang, the next one is due after another pause
    this.#planProbe()
    this.#become('half-open')
    return true
  }

  trip() {
    if (this.current !== 'closed') return
    this.#planProbe()
    this.#become('open')
  }

  tell(outcome: Outcome) {
    this.#sample.add(outcome === 'down')
    if (outcome === 'alive') {
      this.#row.end()
      if (this.current === 'closed') return
      this.#probes = 0
      this.#sample.clear()
      this.#become('closed')
      return
    }
    const inARow = this.#row.extend()
    if (this.current === 'closed' && (inARow >= mostInARow || this.#sample.isBad())) this.#planProbe()
    else if (this.current === 'closed') return
    this.#become('open')
  }

  state(): Pick<UpstreamState, 'breaker' | 'retryAfterSec'> {
    return { breaker: this.current, retryAfterSec: this.current === 'closed' ? null : this.#retryAfterSec() }
  }

  #become(next: UpstreamState['breaker']) {
    if (this.current === next) return
    this.current = next
    this.#changed(next)
  }

  #planProbe() {
    this.#nextProbeAt = this.#steady() + (probesMs[this.#probes] ?? probesMs.at(-1) ?? 0)
    this.#probes++
  }

  #retryAfterSec(): number {
    return Math.max(1, Math.ceil((this.#nextProbeAt - this.#steady()) / 1_000))
  }
}

const mostLanes = 500

interface BreakersParts {
  readonly steady: () => number
  readonly changed: Changed
  readonly others: BreakerNews | undefined
  /** asks for a neutral read: several lanes fail, and nothing is answered */
  readonly doubt: () => void
}

// One breaker for each lane and one for the connection. A failing lane closes itself alone; the connection's opens only if a
// neutral read fails too, so no caller can close the connection to the others.
export class Breakers {
  readonly #parts: BreakersParts
  readonly #whole: Breaker
  /** opened by the first failure: each connection has some, and room for so many takes 11 kB */
  #lanes: LRUCache<string, Breaker> | undefined
  #failing: Breaker | undefined
  #row = 0
  #first = ''
  #isSeveral = false
  #shown: UpstreamState['breaker'] = 'closed'

  constructor(parts: BreakersParts) {
    this.#parts = parts
    this.#whole = new Breaker(parts.steady, () => this.#show())
  }

  admit(name: string): boolean {
    const lane = this.#lanes?.get(name)
    // a call that its lane rejects must not use up the connection's trial
    lane?.check()
    const isTrial = this.#whole.admit()
    return lane?.admit() === true || isTrial
  }

  tell(lane: string, outcome: Outcome) {
    if (outcome === 'alive') this.#answered(this.#lanes?.get(lane))
    else this.#failed(lane)
  }

  state() {
    return this.#current().state()
  }

  #current(): Breaker {
    return this.#whole.current === 'closed' && this.#failing ? this.#failing : this.#whole
  }

  #show() {
    const { current } = this.#current()
    if (current === this.#shown) return
    this.#shown = current
    this.#parts.changed(current)
  }

  #openLane(name: string): Breaker {
    const { steady, others } = this.#parts
    const changed = (state: UpstreamState['breaker']) => {
      if (state === 'open') this.#failing = lane
      this.#show()
    }
    const lane = new Breaker(steady, changed, others)
    this.#lanes ??= new LRUCache<string, Breaker>({ max: mostLanes })
    this.#lanes.set(name, lane)
    return lane
  }

  #answered(lane: Breaker | undefined) {
    this.#row = 0
    this.#isSeveral = false
    if (this.#failing !== lane) this.#failing = undefined
    if (lane) lane.tell('alive')
    else this.#parts.others?.tell('alive')
    this.#whole.tell('alive')
    this.#show()
  }

  #failed(lane: string) {
    if (lane === neutralLane) {
      if (this.#isSeveral && this.#row >= mostInARow) this.#whole.trip()
      return
    }
    if (this.#row === 0) this.#first = lane
    this.#row++
    this.#isSeveral ||= lane !== this.#first
    ;(this.#lanes?.get(lane) ?? this.#openLane(lane)).tell('down')
    if (this.#isSeveral && this.#row >= mostInARow) this.#parts.doubt()
  }
}
