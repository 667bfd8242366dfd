// What each call teaches: whether the platform is there, what is left of its quota, whether it takes the key.
import type { Signal } from '../ending.ts'
import type { Breakers } from './breakers.ts'
import { Failure } from './failures.ts'
import type { Governor, Turn } from './governor.ts'
import type { Heard } from './hearing.ts'
import { readRates } from './rate-header.ts'
import type { Refusals } from './refusals.ts'
import { endOf, isLate } from './time.ts'

/** a call that the deadline ended says that nobody is there if it had so long, and many times what is usual; else little */
const [leastMs, times] = [2_000, 4]

const isDown = (status: number): boolean => status === 503 || status === 504
/** answers that only a key which the platform knows can get */
const isKnown = (status: number): boolean => status === 200 || status === 403 || status === 404

export interface LessonsOptions {
  readonly governor: Governor
  readonly breakers: Breakers
  readonly refusals: Refusals
}

interface Ended {
  readonly lane: string
  readonly signal: Signal
  readonly heard: Heard | undefined
  readonly begunAt: number
  readonly tookMs: number
}

export interface Lessons {
  /** of the headers of an answer */
  fromHeard(heard: Heard, call: { token: string; begunAt: number; turn: Turn; lane: string }): void
  /** of a call that came to no document; answers what it is to be called */
  fromFailure(error: unknown, ended: Ended): unknown
}

export const createLessons = ({ governor, breakers, refusals }: LessonsOptions): Lessons => ({
  fromHeard({ status, rate, date }, { token, begunAt, turn, lane }) {
    governor.heard(readRates(rate), begunAt, { turn, isRefusal: status === 429 })
    if (status !== 429) governor.quota.welcome()
    breakers.tell(lane, isDown(status) ? 'down' : 'alive')
    if (isKnown(status)) refusals.accepted(token, date)
  },
  fromFailure(error, { lane, signal, heard, begunAt, tookMs }) {
    if (signal.aborted) {
      const isTelling = tookMs >= Math.max(leastMs, times * (governor.typicalMs() ?? 0))
      if (!heard && isLate(signal) && isTelling) breakers.tell(lane, 'down')
      return endOf(signal)
    }
    if (!(error instanceof Failure)) return error
    if (!heard && error.down && !error.stale) breakers.tell(lane, 'down')
    if (error.status === 429) governor.quota.refused(error.problem.extras.retryAfterSec, begunAt)
    return error
  },
})
