// How many replicas of this installation are alive, as the database that all of them share has it. Each is heard every two
// seconds; one that was killed is missed after ten, and one that ends says so. Where nobody can say, there may be many.
import { randomBytes } from 'node:crypto'
import type { Observe } from '../observe.ts'
import type { ReplicaRecords } from '../store/records.ts'
import { goneMs } from '../store/replica-rows.ts'

const beatMs = 2_000
/** where nothing was ever counted: a share that is safe for as many, since too large a share passes a limit */
export const assumedReplicas = 10

/** `rows`: each has written that it is there; `sessions`: no row can be written; `assumed`: nothing was ever counted */
export type CountedBy = 'rows' | 'sessions' | 'assumed'

export interface Presence {
  /** with this one: 1 or more. While the database cannot be asked, the last count stands */
  readonly count: () => number
  readonly countedBy: () => CountedBy
  close(): Promise<void>
}

export interface PresenceOptions {
  readonly records: ReplicaRecords
  /** false: it counts the others, and is none itself */
  readonly beats?: boolean
  readonly everyMs?: number
  /** after the database could not be asked */
  readonly returnMs?: number
  readonly observe?: Observe
}

type Counted = readonly [count: number, by: CountedBy]

async function countBy(records: ReplicaRecords, id: string, beats: boolean): Promise<Counted> {
  try {
    return [await (beats ? records.beat(id) : records.count()), 'rows']
  } catch (error) {
    if (!beats || !records.show) throw error
    return [await records.show(id), 'sessions']
  }
}

/** what is known, and since when nobody could say more */
function createKnown(returnMs: number, observe: Observe) {
  let [count, by, failedAt]: [number, CountedBy, number] = [assumedReplicas, 'assumed', Number.NEGATIVE_INFINITY]
  const tell = (countedBy: 'sessions' | 'assumed') => observe({ kind: 'replicas_uncounted', countedBy, count })
  return {
    count: () => count,
    countedBy: () => by,
    note([found, now]: Counted) {
      // the others could not be heard either, and are here: each takes a moment to say so
      const isReturn = by !== 'assumed' && performance.now() - failedAt < returnMs
      const before = by
      ;[count, by] = [Math.max(1, found, isReturn ? count : 1), now]
      if (now === 'sessions' && now !== before) tell(now)
    },
    /** a store that cannot be asked is told of by every request; that nothing was ever counted is told here, once */
    failed() {
      if (by === 'assumed' && failedAt === Number.NEGATIVE_INFINITY) tell(by)
      failedAt = performance.now()
    },
  }
}

export async function openPresence({
  records,
  beats = true,
  everyMs = beatMs,
  returnMs = goneMs,
  observe = () => {},
}: PresenceOptions): Promise<Presence> {
  const id = randomBytes(9).toString('base64url')
  const known = createKnown(returnMs, observe)
  let underWay: Promise<void> | undefined
  const look = () =>
    countBy(records, id, beats).then(
      (counted) => known.note(counted),
      () => known.failed(),
    )
  const beat = () => (underWay ??= look().finally(() => (underWay = undefined)))
  await beat()
  const timer = setInterval(() => void beat(), everyMs).unref()
  return {
    count: known.count,
    countedBy: known.countedBy,
    async close() {
      clearInterval(timer)
      // a beat that came after the farewell would be a ghost
      await underWay
      if (beats) await records.leave(id).catch(() => undefined)
    },
  }
}
