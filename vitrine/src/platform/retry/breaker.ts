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

export type Breaker = ReturnType<typeof createBreaker>

// Failures in a row. The first answer that another process had ends the row once: if failures go on, our own network path is
// broken, and what others have says nothing of it.
function createRow(steady: () => number, others: BreakerNews) {
  let length = 0
  let lastAt = 0
  let isForgiven = false
  return {
    end() {
      length = 0
      isForgiven = false
      others.tell('alive')
    },
    extend(): number {
      if (length > 0 && !isForgiven && others.answeredAt() > lastAt) {
        length = 0
        isForgiven = true
      }
      lastAt = steady()
      if (length === 0) others.tell('down')
      return ++length
    },
  }
}

function createSample(steady: () => number) {
  const count = () => new RollingCount(windowMs, 10, steady)
  let [calls, failures] = [count(), count()]
  return {
    add(isFailure: boolean) {
      calls.add()
      if (isFailure) failures.add()
    },
    isBad: (): boolean => calls.total() >= leastCalls && failures.total() / calls.total() >= failureShare,
    clear: () => void ([calls, failures] = [count(), count()]),
  }
}

type Changed = (state: UpstreamState['breaker']) => void

export function createBreaker(steady: () => number, changed: Changed, others = noNews) {
  const sample = createSample(steady)
  const row = createRow(steady, others)
  let state: UpstreamState['breaker'] = 'closed'
  let probes = 0
  let nextProbeAt = 0

  function become(next: UpstreamState['breaker']) {
    if (state === next) return
    state = next
    changed(next)
  }

  function planProbe() {
    nextProbeAt = steady() + (probesMs[probes] ?? probesMs.at(-1) ?? 0)
    probes++
  }

  const retryAfterSec = (): number => Math.max(1, Math.ceil((nextProbeAt - steady()) / 1_000))

  function check() {
    if (state !== 'closed' && steady() < nextProbeAt)
      throw new Problem('upstream_unavailable', {
        retryAfterSec: retryAfterSec(),
        cause: 'the platform does not answer, and will be tried again soon',
      })
  }

  return {
    check,
    admit(): boolean {
      if (state === 'closed') return false
      check()
      // should this trial hang, the next one is due after another pause
      planProbe()
      become('half-open')
      return true
    },
    trip() {
      if (state !== 'closed') return
      planProbe()
      become('open')
    },
    tell(outcome: 'alive' | 'down') {
      sample.add(outcome === 'down')
      if (outcome === 'alive') {
        row.end()
        if (state === 'closed') return
        probes = 0
        sample.clear()
        return become('closed')
      }
      const inARow = row.extend()
      if (state === 'closed' && (inARow >= mostInARow || sample.isBad())) planProbe()
      else if (state === 'closed') return
      become('open')
    },
    state: () => ({ breaker: state, retryAfterSec: state === 'closed' ? null : retryAfterSec() }),
  }
}

const mostLanes = 500

export type Breakers = ReturnType<typeof createBreakers>

interface BreakersParts {
  readonly steady: () => number
  readonly changed: Changed
  readonly others: BreakerNews | undefined
  /** asks for a neutral read: several lanes fail, and nothing is answered */
  readonly doubt: () => void
}

// One breaker for each lane and one for the connection. A failing lane closes itself alone; the connection's opens only if a
// neutral read fails too, so no caller can close the connection to the others.
export function createBreakers({ steady, changed, others, doubt }: BreakersParts) {
  /** opened by the first failure: each connection has some, and room for so many takes 11 kB */
  let lanes: LRUCache<string, Breaker> | undefined
  let failing: Breaker | undefined
  let [row, first, isSeveral] = [0, '', false]
  let shown: UpstreamState['breaker'] = 'closed'
  const whole = createBreaker(steady, show)

  const current = (): Breaker => (whole.state().breaker === 'closed' && failing ? failing : whole)

  function show() {
    const { breaker } = current().state()
    if (breaker === shown) return
    shown = breaker
    changed(shown)
  }

  function openLane(name: string): Breaker {
    const lane: Breaker = createBreaker(
      steady,
      (state) => {
        if (state === 'open') failing = lane
        show()
      },
      others,
    )
    lanes ??= new LRUCache<string, Breaker>({ max: mostLanes })
    lanes.set(name, lane)
    return lane
  }

  function answered(lane: Breaker | undefined) {
    row = 0
    isSeveral = false
    if (failing !== lane) failing = undefined
    if (lane) lane.tell('alive')
    else others?.tell('alive')
    whole.tell('alive')
    show()
  }

  function failed(lane: string) {
    if (lane === neutralLane) {
      if (isSeveral && row >= mostInARow) whole.trip()
      return
    }
    if (row === 0) first = lane
    row++
    isSeveral ||= lane !== first
    ;(lanes?.get(lane) ?? openLane(lane)).tell('down')
    if (isSeveral && row >= mostInARow) doubt()
  }

  return {
    admit(name: string): boolean {
      const lane = lanes?.get(name)
      // a call that its lane rejects must not use up the connection's trial
      lane?.check()
      const isTrial = whole.admit()
      return lane?.admit() === true || isTrial
    },
    tell: (lane: string, outcome: 'alive' | 'down') =>
      outcome === 'alive' ? answered(lanes?.get(lane)) : failed(lane),
    state: () => current().state(),
  }
}
