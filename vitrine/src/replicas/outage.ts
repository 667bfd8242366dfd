// Lets a replica read on while the database is down, and publishes revocations to the others. A replica that reaches the
// database and Redis also publishes those of replicas that reach only the database.
import { repeat } from '../../../base/core/repeat.ts'
import type { DatabaseHealth } from '../../../base/store/outage.ts'
import type { Store } from '../store/store.ts'
import { markStoreIn } from './revocation-mark-redis.ts'
import type { Redis } from '../../../base/redis/redis.ts'
import { createRevocationMark, type RevocationMark, type RevocationMarkOptions } from './revocation-mark.ts'
import { createDatabaseHealth } from './database-health.ts'

const readMs = 200
const relayMs = 1_000

/** the acts that revoke or narrow a grant */
export const revokingActs: readonly string[] = [
  'keys.revoke',
  'keys.reroll',
  'connections.replace',
  'connections.remove',
]

export interface OutageReadsOptions extends Omit<RevocationMarkOptions, 'store'> {
  readonly redis: Redis
  readonly store: Store
}

export type OutageReads = Awaited<ReturnType<typeof openOutageReads>>

function relayRevocations(audit: Store['audit'], mark: RevocationMark): () => Promise<void> {
  let last: number | undefined
  return async () => {
    const seq = await audit.latestOf(revokingActs)
    if (seq === last) return
    await mark.relay(seq)
    last = seq
  }
}

/** for a command: it publishes revocations, and uses no cached records */
export function publishRevocations({ redis, store, ...rest }: OutageReadsOptions) {
  const mark = createRevocationMark({ ...rest, store: markStoreIn(redis) })
  store.setOutageParts({ revocations: mark })
  return { unpublishedUntil: mark.unpublishedUntil }
}

/** without Redis: watches the database, and never uses cached records in its place */
export function watchDatabase(options: Pick<OutageReadsOptions, 'store' | 'observe' | 'steady'>): OutageReads {
  const { store, observe, steady } = options
  const mark = { last: () => undefined, current: async () => undefined }
  const health = createDatabaseHealth({ ...probeOf(store), observe, steady, revocations: mark, boundMs: 0 })
  store.setOutageParts({ health })
  return {
    unpublishedUntil: () => undefined,
    isStoreUp: () => isDatabaseUp(store, health),
    close() {
      health.close()
      store.setOutageParts({ health: undefined })
    },
  }
}

const isDatabaseUp = (store: Store, health: DatabaseHealth): boolean => !health.isDown() && store.isStandby?.() !== true
const probeOf = (store: Store) => ({ place: store.place, probe: () => store.probe?.() ?? Promise.resolve() })

export async function openOutageReads({ redis, store, ...rest }: OutageReadsOptions) {
  const mark = createRevocationMark({ ...rest, store: markStoreIn(redis) })
  const health = createDatabaseHealth({ ...rest, ...probeOf(store), revocations: mark })
  const relay = relayRevocations(store.audit, mark)
  // before the first query: learn the last revocation and the current mark
  await relay().catch(() => undefined)
  await mark.read()
  store.setOutageParts({ revocations: mark, health })
  const stops = [repeat(mark.read, readMs), repeat(relay, relayMs)]
  return {
    unpublishedUntil: mark.unpublishedUntil,
    isStoreUp: () => isDatabaseUp(store, health),
    close() {
      for (const stop of stops) stop()
      health.close()
      store.setOutageParts({ revocations: undefined, health: undefined })
    },
  }
}
