// Counts the living replicas of an installation in their database. Each reports every 2 s; one without a report for 10 s is
// gone. Until a first count, many are assumed.
import { randomBytes } from 'node:crypto'
import type { Observe } from '../core/events.ts'
import { goneMs, type ReplicaRecords } from '../core/replica-records.ts'

const reportMs = 2_000
/** assumed before the first count: too large a share would pass a limit */
export const assumedReplicas = 10

/** `rows`: each replica writes one; `sessions`: no row can be written; `assumed`: never counted */
export type CountedBy = 'rows' | 'sessions' | 'assumed'

export type Presence = Awaited<ReturnType<typeof openPresence>>

export interface PresenceOptions {
  readonly records: ReplicaRecords
  readonly everyMs?: number
  readonly returnMs?: number
  readonly observe?: Observe
}

type Counted = readonly [count: number, by: CountedBy]

async function countBy(records: ReplicaRecords, id: string): Promise<Counted> {
  try {
    return [await records.beat(id), 'rows']
  } catch (error) {
    if (!records.show) throw error
    return [await records.show(id), 'sessions']
  }
}

function createReplicaCount(returnMs: number, observe: Observe) {
  let [count, by, failedAt]: [number, CountedBy, number] = [assumedReplicas, 'assumed', Number.NEGATIVE_INFINITY]
  const observeUncounted = (countedBy: 'sessions' | 'assumed') =>
    observe({ kind: 'replicas_uncounted', countedBy, count })
  return {
    count: () => count,
    countedBy: () => by,
    note([found, now]: Counted) {
      // others that were cut off as well need a moment to report again
      const isReturn = by !== 'assumed' && performance.now() - failedAt < returnMs
      const before = by
      ;[count, by] = [Math.max(1, found, isReturn ? count : 1), now]
      if (now === 'sessions' && now !== before) observeUncounted(now)
    },
    /** reported once, and only where nothing was ever counted: every request reports a store that is down */
    failed() {
      if (by === 'assumed' && failedAt === Number.NEGATIVE_INFINITY) observeUncounted(by)
      failedAt = performance.now()
    },
  }
}

export async function openPresence(options: PresenceOptions) {
  const { records, everyMs = reportMs, returnMs = goneMs, observe = () => {} } = options
  const id = randomBytes(9).toString('base64url')
  const known = createReplicaCount(returnMs, observe)
  let underWay: Promise<void> | undefined
  const look = () =>
    countBy(records, id).then(
      (counted) => known.note(counted),
      () => known.failed(),
    )
  const report = () => (underWay ??= look().finally(() => (underWay = undefined)))
  await report()
  const timer = setInterval(() => void report(), everyMs).unref()
  return {
    /** 1 or more, including this one; while the database is down, the last count */
    count: known.count,
    countedBy: known.countedBy,
    async close() {
      clearInterval(timer)
      // a report after leave() would count a replica that is gone
      await underWay
      await records.leave(id).catch(() => undefined)
    },
  }
}
