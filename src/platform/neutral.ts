// The neutral read of a connection: one cheap read that no caller chose, which tells whether the platform is there for this
// connection and takes its key. It is made when reads of several kinds fail and nothing else is answered.
import type { Errand, PlatformRead } from '../engine/port.ts'
import { Ending } from '../ending.ts'

const read: PlatformRead = {
  target: '/v1/apps?fields%5Bapps%5D=bundleId&limit=1',
  accept: 'application/json',
  given: new Map(),
}
const nothing = { calls: 0, retries: 0, shared: 0, waitedMs: 0, platformMs: 0 }
/** how often it is made at most: 240 of the 3,600 calls that a platform key has in an hour */
export const neutralEveryMs = 15_000

/** the lane of a neutral read, and of the operator's own trial */
export const neutralLane = ''

/**
 * Whose read, and of what kind: what fails on one lane is held against that lane first. A platform path is
 * `/version/type/id/relation`, so without its id it is the kind of read.
 */
export function laneOf({ target }: PlatformRead, { who, trial }: Errand): string {
  if (trial) return neutralLane
  const asks = target.indexOf('?')
  const end = asks < 0 ? target.length : asks
  const path = target.slice(0, end)
  const idAt = path.indexOf('/', path.indexOf('/', 1) + 1)
  if (idAt < 0) return who + path
  const relationAt = path.indexOf('/', idAt + 1)
  return who + path.slice(0, idAt) + (relationAt < 0 ? '' : path.slice(relationAt))
}

/** a read of this kind, and without a filter, says of the key itself what a neutral one says */
export const isNeutral = ({ target }: PlatformRead): boolean =>
  /^\/v1\/apps(\?|$)/.test(target) && !target.includes('filter%5B')

interface NeutralParts {
  readonly make: (read: PlatformRead, errand: Errand) => Promise<unknown>
  readonly steady: () => number
  /** whether the platform wants not to be asked at all */
  readonly isPaused: () => boolean
}

/** One at a time, and not often. What comes of it is heard as of every call. */
export function createNeutral({ make, steady, isPaused }: NeutralParts): () => void {
  let isUnderWay = false
  let lastAt = Number.NEGATIVE_INFINITY
  return () => {
    if (isUnderWay || steady() - lastAt < neutralEveryMs || isPaused()) return
    isUnderWay = true
    lastAt = steady()
    const errand: Errand = {
      ...{ signal: new Ending(), endsAt: Number.POSITIVE_INFINITY, who: 'neutral' },
      ...{ patient: false, fresh: true, trial: true, cost: { ...nothing } },
    }
    const making = make(read, errand)
    void making.catch(() => {}).finally(() => (isUnderWay = false))
  }
}
