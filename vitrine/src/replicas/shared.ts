// What the replicas of one installation share, opened together. Without the setting `redis`, no code of Redis is loaded.
import type { SharedAnswerStore } from '../../../base/web/shared-answer-store.ts'
import { createRates } from '../../../base/auth/rate-limits.ts'
import type { Observe } from '../events.ts'
import type { Store } from '../store/store.ts'
import type { Leases } from './leases.ts'
import type { Presence } from '../../../base/redis/presence.ts'
import type { Redis } from '../../../base/redis/redis.ts'
import type { OutageReads } from './outage.ts'
import type { MakeScheduler } from '../platform/client.ts'

/** how long after its deadline an abandoned call may still reach the platform */
const lateMs = 5_000

export interface SharedOptions {
  readonly redis: string | undefined
  readonly store: Store
  /** how long cached records may be used while the database is down; 0: never */
  readonly outageSeconds: number
  readonly now: () => number
  readonly observe: Observe
  readonly steady: () => number
  readonly upstream: { readonly concurrency: number; readonly totalMs: number }
}

export type Shared = Awaited<ReturnType<typeof openShared>>

async function openRedisOf(
  options: Pick<SharedOptions, 'redis' | 'store' | 'observe' | 'steady'>,
): Promise<Redis | undefined> {
  const { redis: url, store, observe, steady } = options
  if (url === undefined) return undefined
  const { openRedis } = await import('../../../base/redis/redis.ts')
  const installation = Buffer.from(await store.secret('installation'))
    .toString('hex')
    .slice(0, 16)
  return openRedis({ url, prefix: ['vitrine', installation], observe, steady })
}

async function openPresenceOver({ store, observe }: SharedOptions): Promise<Presence> {
  if (!store.isShared) return { count: () => 1, countedBy: () => 'rows', close: async () => {} }
  const { openPresence } = await import('../../../base/redis/presence.ts')
  return openPresence({ records: store.replicas, observe })
}

const hourMs = 3_600_000

/** `standard`: for keys without a limit of their own; budgets of platform calls have none */
async function openRates(redis: Redis | undefined, { count: replicas }: Presence, { store, steady }: SharedOptions) {
  if (!redis && !store.isShared)
    return { ratesOf: (standard: number) => createRates(standard), budgets: createRates(0, steady, hourMs) }
  const { createSharedRates } = await import('./shared-rates.ts')
  const common = { redis, replicas, steady }
  return {
    ratesOf: (standard: number) => createSharedRates({ ...common, standard }),
    budgets: createSharedRates({ ...common, standard: 0, windowMs: hourMs, kind: 'budget' }),
  }
}

async function openSchedulers(
  redis: Redis | undefined,
  { count: replicas }: Presence,
  { store, steady, observe, upstream }: SharedOptions,
): Promise<MakeScheduler | undefined> {
  if (!redis && !store.isShared) return undefined
  const { createSharedScheduler, concurrencyPerReplica } = await import('./shared-scheduler.ts')
  const most = upstream.concurrency
  const quotaOptions = {
    holdMs: upstream.totalMs + lateMs,
    mostInFlight: () => replicas() * concurrencyPerReplica(most, replicas()),
  }
  const quotaOf = redis && (await import('./shared-quota.ts')).createSharedQuotas({ redis, ...quotaOptions })
  const shed = () => observe({ kind: 'shed', reason: 'queue' })
  return (key) => createSharedScheduler({ most, replicas, steady, shed, sharedQuota: quotaOf?.(key) })
}

interface SharedReads {
  readonly leases: Leases | undefined
  /** `scope`: what the answers depend on besides their questions */
  readonly shelfOf: (scope: string) => SharedAnswerStore | undefined
}

/** undefined without Redis */
async function openReads(
  redis: Redis | undefined,
  secret: Uint8Array | undefined,
  { steady }: SharedOptions,
): Promise<SharedReads> {
  if (!redis || !secret) return { leases: undefined, shelfOf: () => undefined }
  const [{ createLeases }, { createSharedAnswers }] = await Promise.all([
    import('./leases.ts'),
    import('./shared-answers.ts'),
  ])
  const shelfOf = (scope: string) => createSharedAnswers({ redis, secret, scope })
  return { leases: createLeases({ redis, secret, steady }), shelfOf }
}

async function openOutage(redis: Redis | undefined, { outageSeconds, store, ...rest }: SharedOptions) {
  if (!store.isShared) return undefined
  const { openOutageReads, watchDatabase } = await import('./outage.ts')
  if (!redis || outageSeconds === 0) return watchDatabase({ ...rest, store })
  return openOutageReads({ ...rest, redis, store, boundMs: outageSeconds * 1_000 })
}

export async function openShared(options: SharedOptions) {
  // first what the store may refuse: a failed start must leave no Redis connection open
  const secret = options.redis === undefined ? undefined : await options.store.secret('replicas')
  const redis = await openRedisOf(options)
  const reads = await openReads(redis, secret, options)
  const presence = await openPresenceOver(options)
  const { ratesOf, budgets } = await openRates(redis, presence, options)
  const schedulerOf = await openSchedulers(redis, presence, options)
  const outage = await openOutage(redis, options)
  return {
    redis,
    presence,
    ratesOf,
    budgets,
    /** undefined where there can be no other replica */
    schedulerOf,
    /** undefined over SQLite */
    outage,
    ...reads,
    async close() {
      outage?.close()
      reads.leases?.close()
      await presence.close()
      await redis?.close()
    },
  }
}

/** for a command that may revoke: it publishes revocations to the replicas */
export async function openSharedForCommand(
  options: Omit<SharedOptions, 'upstream'>,
): Promise<Pick<Shared, 'close'> & Partial<Pick<OutageReads, 'unpublishedUntil'>>> {
  const { store, outageSeconds, ...rest } = options
  if (!store.isShared || outageSeconds === 0) return { close: async () => {} }
  const redis = await openRedisOf(options)
  if (!redis) return { close: async () => {} }
  const { publishRevocations } = await import('./outage.ts')
  return {
    ...publishRevocations({ ...rest, redis, store, boundMs: outageSeconds * 1_000 }),
    close: () => redis.close(),
  }
}
