// Whose turn it is at a platform key; and who is told that it will never be his.
import { Problem } from '../problem.ts'
import type { Quota } from './quota.ts'
import type { Rows, Stand, Waiter } from './rows.ts'
import type { Running } from './running.ts'

const limited = (waitMs: number, message?: string): Problem =>
  new Problem('upstream_rate_limited', {
    retryAfterSec: Math.min(3_600, Math.max(1, Math.ceil(waitMs / 1_000))),
    ...(message !== undefined && { message }),
  })

export const crowded = (waitMs: number): Problem =>
  limited(waitMs, 'More is asked of this connection at once than the platform answers in time.')

export interface Asking {
  readonly rows: Rows
  readonly quota: Pick<Quota, 'waitMs'>
  readonly steady: () => number
  /** what a call takes lately; 0: nobody knows */
  readonly typicalMs: number
  readonly running: Pick<Running, 'hasRoomFor' | 'isKeptFrom'>
}

/** the first of a side who may go, or how long that has to wait; whoever cannot live to see his answer is told so */
function firstOf(side: readonly Waiter[], at: Stand, { rows, quota, steady, typicalMs }: Asking): Waiter | number {
  const waitMs = side.length > 0 ? quota.waitMs(at.who, at.patient) : Number.POSITIVE_INFINITY
  for (let first = side[0]; first; first = side[0]) {
    const leftMs = first.errand.endsAt - steady()
    if (waitMs > 0 && waitMs < leftMs) return waitMs
    rows.remove(first)
    if (leftMs <= 0) first.refuse(new Problem('upstream_timeout', { cause: 'the deadline came before the turn' }))
    else if (waitMs > 0) first.refuse(limited(waitMs))
    // it would only spend quota for nothing
    else if (leftMs < typicalMs) first.refuse(crowded(typicalMs))
    else return first
  }
  return Number.POSITIVE_INFINITY
}

/** who goes now and from where, or how long until somebody may */
export function nextTurn(asking: Asking): [Waiter, Stand] | number {
  let soonestMs = Number.POSITIVE_INFINITY
  for (const { who, prompt, patient } of asking.rows) {
    if (asking.running.isKeptFrom(who)) continue
    for (const side of asking.running.hasRoomFor(true) ? [prompt, patient] : [prompt]) {
      const at = { who, patient: side === patient }
      const found = firstOf(side, at, asking)
      if (typeof found !== 'number') return [found, at]
      soonestMs = Math.min(soonestMs, found)
    }
  }
  return soonestMs
}
