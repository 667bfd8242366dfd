// What the replicas of one installation have in common, opened together: the Redis that the settings may name, and how many
// of them there are. Without the setting, nothing of Redis is loaded.
import type { FarShelf } from '../http/far-shelf.ts'
import { createRates, type Rates } from '../keys/rate.ts'
import type { Observe } from '../observe.ts'
import type { Store } from '../store/records.ts'
import type { Leases } from './leases.ts'
import type { Presence } from './presence.ts'
import type { Redis } from './redis.ts'
import type { Standby } from './standby.ts'

export interface SharedOptions {
  readonly redis: string | undefined
  readonly store: Store
  /** how long what was found in the store is believed without it; 0: not at all */
  readonly outageSeconds: number
  readonly now: () => number
  readonly observe: Observe
  readonly steady: () => number
  /** one process of a service is heard for all of them */
  readonly beats: boolean
}

type Others = Omit<SharedOptions, 'beats'>

export interface Shared {
  readonly redis: Redis | undefined
  readonly presence: Presence
  /** `standard`: of keys without a rate of their own */
  readonly ratesOf: (standard: number) => Rates
  /** undefined without a Redis */
  readonly leases: Leases | undefined
  /** answers that are remembered together, by all that they depend on beside their questions; undefined without a Redis */
  readonly shelfOf: (scope: string) => FarShelf | undefined
  /** over a database that others share: whether it answers, and, with a Redis, who could not be told of what */
  readonly standby: Standby | undefined
  close(): Promise<void>
}

/** they know each other by a name from the store */
async function openRedisOf({ redis: url, store, observe, steady }: Others): Promise<Redis | undefined> {
  if (url === undefined) return undefined
  const { openRedis } = await import('./redis.ts')
  const installation = Buffer.from(await store.secret('installation'))
    .toString('hex')
    .slice(0, 16)
  return openRedis({ url, installation, observe, steady })
}

/** over a file nobody else can be */
async function openPresenceOver({ store, beats, observe }: SharedOptions): Promise<Presence> {
  if (!store.isShared) return { count: () => 1, countedBy: () => 'rows', close: async () => {} }
  const { openPresence } = await import('./presence.ts')
  return openPresence({ records: store.replicas, beats, observe })
}

async function openRates(redis: Redis | undefined, { count }: Presence, { store, steady }: Others) {
  if (!redis && !store.isShared) return createRates
  const { createSharedRates } = await import('./rates.ts')
  return (standard: number) => createSharedRates({ standard, redis, replicas: count, steady })
}

/** what is read once for all of them */
async function openReads(redis: Redis | undefined, secret: Uint8Array | undefined, { steady }: SharedOptions) {
  if (!redis || !secret) return { leases: undefined, shelfOf: () => undefined }
  const [{ createLeases }, { createSharedAnswers }] = await Promise.all([import('./leases.ts'), import('./answers.ts')])
  const shelfOf = (scope: string) => createSharedAnswers({ redis, secret, scope })
  return { leases: createLeases({ redis, secret, steady }), shelfOf }
}

async function attendStore(redis: Redis | undefined, { outageSeconds, store, ...rest }: Others) {
  if (!store.isShared) return undefined
  const { attend, watch } = await import('./standby.ts')
  if (!redis || outageSeconds === 0) return watch({ ...rest, store })
  return attend({ ...rest, redis, store, boundMs: outageSeconds * 1_000 })
}

export async function openShared(options: SharedOptions): Promise<Shared> {
  // what the store may refuse comes first: a start that fails leaves no Redis open
  const secret = options.redis === undefined ? undefined : await options.store.secret('replicas')
  const redis = await openRedisOf(options)
  const reads = await openReads(redis, secret, options)
  const presence = await openPresenceOver(options)
  const ratesOf = await openRates(redis, presence, options)
  const standby = await attendStore(redis, options)
  return {
    ...{ redis, presence, ratesOf, standby, ...reads },
    async close() {
      standby?.close()
      reads.leases?.close()
      await presence.close()
      await redis?.close()
    },
  }
}

/** for a command that may take something away: the others are told of it */
export async function attendCommand(
  options: Others,
): Promise<Pick<Shared, 'close'> & Partial<Pick<Standby, 'untold'>>> {
  const { store, outageSeconds, ...rest } = options
  if (!store.isShared || outageSeconds === 0) return { close: async () => {} }
  const redis = await openRedisOf(options)
  if (!redis) return { close: async () => {} }
  const { tellOf } = await import('./standby.ts')
  return { ...tellOf({ ...rest, redis, store, boundMs: outageSeconds * 1_000 }), close: () => redis.close() }
}
