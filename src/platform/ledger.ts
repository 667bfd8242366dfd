// What a governor needs of whoever keeps the quota of a platform key for all replicas. Nothing here rejects.
import type { Window } from '../engine/port.ts'
import type { Rates } from './rate-header.ts'

/** how a platform key stands over all replicas */
export interface Standing {
  /** whether the call that was asked for may be made */
  readonly granted: boolean
  /** until one more call would be granted; 0: now */
  readonly waitMs: number
  /** of that, how long it rests after a 429 */
  readonly pausedMs: number
  /** one call over all replicas finds out, before all go on */
  readonly careful: boolean
  /** how long ago a call was begun or answered */
  readonly idleMs: number
  readonly hour?: Window
  readonly minute?: Window
}

/** what a facade key has used within the hour over all replicas, and how long ago it asked */
export interface Use {
  readonly calls: number
  readonly idleMs: number
}

/** `undefined` where it was not heard: whoever asked goes on alone */
type Said = Promise<Standing | undefined>

/** of one platform key; `id` is a name of the call's own */
export interface Ledger {
  isUp(): boolean
  /** a trial is counted, and always granted */
  reserve(id: string, isTrial: boolean): Said
  /** what the platform said with its answer to this call */
  heard(id: string, rates: Rates, isRefusal: boolean): Said
  /** after a 429: for so long, or as long as its number in the row says */
  rest(retryAfterSec: number | undefined): Said
  /** no answer came, and the platform may have counted it */
  ended(id: string): Said
  /** it was not made */
  release(id: string): Said
  look(): Said
  /** tells of calls by facade key, and hears of all that were told */
  uses(told: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, Use> | undefined>
  /** a call is made that it knows nothing of */
  missed(): void
}
