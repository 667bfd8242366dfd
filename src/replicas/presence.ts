// How many replicas of this installation are alive, as the database that all of them share has it. Each is heard every two
// seconds; one that was killed is missed after ten, and one that ends says so.
import { randomBytes } from 'node:crypto'
import type { ReplicaRecords } from '../store/records.ts'
import { goneMs } from '../store/replica-rows.ts'

const beatMs = 2_000

export interface Presence {
  /** with this one: 1 or more. While the database cannot be asked, the last count stands */
  readonly count: () => number
  close(): Promise<void>
}

export interface PresenceOptions {
  readonly records: ReplicaRecords
  /** false: it counts the others, and is none itself */
  readonly beats?: boolean
  readonly everyMs?: number
  /** after the database could not be asked */
  readonly returnMs?: number
}

export async function openPresence({
  records,
  beats = true,
  everyMs = beatMs,
  returnMs = goneMs,
}: PresenceOptions): Promise<Presence> {
  const id = randomBytes(9).toString('base64url')
  let [known, failedAt] = [1, Number.NEGATIVE_INFINITY]
  let underWay: Promise<void> | undefined
  const look = async () => {
    try {
      const count = Math.max(1, await (beats ? records.beat(id) : records.count()))
      // the others could not be heard either, and are here: each takes a moment to say so
      known = performance.now() - failedAt < returnMs ? Math.max(known, count) : count
    } catch {
      failedAt = performance.now()
      // a store that cannot be asked is told of by every request
    }
  }
  const beat = () => (underWay ??= look().finally(() => (underWay = undefined)))
  await beat()
  const timer = setInterval(() => void beat(), everyMs).unref()
  return {
    count: () => known,
    async close() {
      clearInterval(timer)
      // a beat that came after the farewell would be a ghost
      await underWay
      if (beats) await records.leave(id).catch(() => undefined)
    },
  }
}
