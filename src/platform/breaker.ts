// Notices that nobody answers at the platform, so that callers learn it at once, and that somebody does again.
// Time is steady: a clock that is set back must not keep it open. (Libraries for this count by the wall clock.)
import type { LineState } from '../engine/port.ts'
import { Problem } from '../problem.ts'

export const mostInARow = 5
/** or this part of so many within the window */
const [share, least, windowMs] = [0.5, 20, 10_000]
/** how soon the platform is tried again; the last one from then on */
const probesMs = [1_000, 2_000, 4_000, 5_000]

/** what other processes that read through the same connection have met */
export interface Hearsay {
  /** of the steady clock: when one of them was last said to have been answered, after one had said that it was not */
  answeredAt(): number
  tell(outcome: 'alive' | 'down'): void
}

const nobody: Hearsay = { answeredAt: () => Number.NEGATIVE_INFINITY, tell: () => {} }

export interface Breaker {
  /** Throws where the platform is believed dead, and it is not yet time to try it again. */
  check(): void
  /** The same. True: this call is to find out. */
  admit(): boolean
  /** opens it, whatever was counted */
  trip(): void
  /** somebody answered, or nobody did */
  tell(outcome: 'alive' | 'down'): void
  state(): Pick<LineState, 'breaker' | 'retryAfterSec'>
}

interface Slot {
  readonly endsAt: number
  calls: number
  failures: number
}

/**
 * Failures in a row, as if all processes were one: an answer that another had ends the row. Once only: where it goes on, it is
 * the way from here that is broken, and no answer of others mends that.
 */
function createRow(steady: () => number, others: Hearsay) {
  let length = 0
  let lastAt = 0
  let isForgiven = false
  return {
    end() {
      length = 0
      isForgiven = false
      others.tell('alive')
    },
    goOn(): number {
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

/** calls and failures of the last seconds */
function createSample(steady: () => number) {
  let slots: Slot[] = []
  const slotMs = windowMs / 10
  return {
    add(isFailure: boolean) {
      const now = steady()
      if (slots[0] && slots[0].endsAt <= now - windowMs) slots = slots.filter(({ endsAt }) => endsAt > now - windowMs)
      const last = slots.at(-1)
      const slot = last && last.endsAt > now ? last : { endsAt: now + slotMs, calls: 0, failures: 0 }
      if (slot !== last) slots.push(slot)
      slot.calls++
      if (isFailure) slot.failures++
    },
    isBad(): boolean {
      const calls = slots.reduce((sum, slot) => sum + slot.calls, 0)
      const failures = slots.reduce((sum, slot) => sum + slot.failures, 0)
      return calls >= least && failures / calls >= share
    },
    clear: () => (slots = []),
  }
}

type Changed = (state: LineState['breaker']) => void

export function createBreaker(steady: () => number, changed: Changed, others = nobody): Breaker {
  const sample = createSample(steady)
  const row = createRow(steady, others)
  let state: LineState['breaker'] = 'closed'
  let probes = 0
  let nextProbeAt = 0

  function become(next: LineState['breaker']) {
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
    admit() {
      if (state === 'closed') return false
      check()
      // one goes through; should it hang, the next one a turn later
      planProbe()
      become('half-open')
      return true
    },
    trip() {
      if (state !== 'closed') return
      planProbe()
      become('open')
    },
    tell(outcome) {
      sample.add(outcome === 'down')
      if (outcome === 'alive') {
        row.end()
        if (state === 'closed') return
        probes = 0
        sample.clear()
        return become('closed')
      }
      const inARow = row.goOn()
      if (state === 'closed' && (inARow >= mostInARow || sample.isBad())) planProbe()
      else if (state === 'closed') return
      become('open')
    },
    state: () => ({ breaker: state, retryAfterSec: state === 'closed' ? null : retryAfterSec() }),
  }
}
