// Checks the Redis that replicas share: reachable, writable, enough memory without eviction. Counts the replicas.
import { counted } from '../../../base/core/plural.ts'
import type { RedisInspection } from '../../../base/redis/redis-inspect.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { Installation } from './installation.ts'

const [oldestMajor, oldestMinor] = [6, 2]
const nearlyFull = 0.9

const unusable = 'Redis cannot be used: each replica applies its part of every limit.'

const copied = 'Set the address of its primary server, or one that leads to it after a failover.'
const denied = 'Allow that user all commands for keys and channels that begin with `vitrine:`.'

/** fixes by the error code of the server or of the network */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/^(WRONGPASS|NOAUTH)$/, 'Set user and password of that server in `redis`, or the password in redisPasswordFile.'],
  [/^ECONNREFUSED$/, 'Check whether the server runs, and whether it listens at the address in the setting `redis`.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'Check the host name in the setting `redis`.'],
  [
    /CERT|SSL|TLS|^EPROTO$|^UNABLE_TO_/,
    'Use rediss:// where the server speaks TLS, with a certificate that this machine trusts.',
  ],
  [/^(READONLY|MASTERDOWN)$/, copied],
  [/^OOM$/, 'Raise its maxmemory, or give Vitrine a server of its own.'],
  [/^MISCONF$/, 'Find out why its last snapshot failed, or turn snapshots off (`save ""`): Vitrine needs none.'],
  [/^NOREPLICAS$/, 'Start its replica servers: it accepts no writes without them.'],
  [/^LOADING$/, 'Wait until it has loaded its data.'],
  // Redis 7 reports a missing permission within a script as ERR
  [/^(NOPERM|ERR)$/, denied],
]
const anyway = 'Check whether the setting `redis` names a Redis or Valkey server that this machine can reach.'

function causeOf(reason: string, code: string): string {
  if (code === 'NOAUTH') return 'it requires a password (NOAUTH)'
  if (code === 'invalid_reply') return 'the server there is not Redis'
  return /^(EPIPE|ECONNRESET|connection_closed)$/.test(code) ? 'the connection was cut before an answer' : reason
}

const fixOf = (code: string): string => fixes.find(([pattern]) => pattern.test(code))?.[1] ?? anyway

const versionOf = ({ valkey_version: valkey, redis_version: redis }: Readonly<Record<string, string>>): string =>
  valkey === undefined ? `Redis ${redis ?? ''}`.trim() : `Valkey ${valkey}`

function isOld({ valkey_version: valkey, redis_version: redis = '' }: Readonly<Record<string, string>>): boolean {
  const [major = 0, minor = 0] = redis.split('.').map(Number)
  return valkey === undefined && (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
}

function judgeMemory(info: Readonly<Record<string, string>>): Verdict | undefined {
  const { maxmemory_policy: policy = 'noeviction', maxmemory_human: most = '' } = info
  const [limit, used] = [Number(info['maxmemory']), Number(info['used_memory'])]
  if (!(limit > 0)) return undefined
  if (policy !== 'noeviction')
    return warn('Redis may drop counters of the replicas.', {
      cause: `its maxmemory is ${most}, and its maxmemory-policy ${policy}`,
      cure: 'Set maxmemory-policy to noeviction, or give Vitrine a server of its own: after a dropped counter, limits allow too much.',
    })
  if (used < nearlyFull * limit) return undefined
  return warn('The memory of Redis is nearly full.', {
    cause: `${Math.floor((used / limit) * 100)} % of ${most} are in use, and a full server rejects writes`,
    cure: 'Raise its maxmemory, or give Vitrine a server of its own.',
  })
}

function judgeRole(place: string, info: Readonly<Record<string, string>>): Verdict | undefined {
  if (info['cluster_enabled'] === '1')
    return fail(unusable, { cause: `${place} is in cluster mode`, cure: 'Name a server that is not in cluster mode.' })
  if (info['role'] === 'slave') return fail(unusable, { cause: `${place} is a read-only copy`, cure: copied })
  return undefined
}

function judgeInfo(place: string, info: Readonly<Record<string, string>>): Verdict {
  const memory = judgeMemory(info)
  if (memory) return memory
  if (isOld(info))
    return warn(`${versionOf(info)} is older than the oldest supported version.`, {
      cure: `Use Redis ${oldestMajor}.${oldestMinor} or newer, or Valkey.`,
    })
  return ok(`${versionOf(info)} answers at ${place}.`)
}

const full =
  'The memory of Redis is full or nearly full, and it rejects writes: each replica applies its part of every limit.'

export function judgeRedisAnswer({ place, reason, info, refusal, code = '' }: RedisInspection): Verdict {
  const role = info && judgeRole(place, info)
  const refused = reason ?? refusal
  if (role) return role
  if (refused !== undefined)
    return fail(code === 'OOM' ? full : unusable, {
      cause: `${place}: ${causeOf(refused, code)}`,
      cure: fixOf(code),
    })
  return info ? judgeInfo(place, info) : ok(`The server at ${place} answers. Its user may not run INFO.`)
}

export async function judgeRedis({ settings: { redis } }: Installation, signal: AbortSignal): Promise<Verdict> {
  if (redis === undefined) return ok('The setting `redis` is not set.')
  const { inspectRedis } = await import('../../../base/redis/redis-inspect.ts')
  return judgeRedisAnswer(await inspectRedis(redis, 'vitrine:doctor:proof', signal))
}

export async function judgeReplicas({
  openStore: look,
  isSchemaCurrent: sound,
  settings,
}: Installation): Promise<Verdict> {
  if (!look || !sound || !look.store.isShared) return ok('The store belongs to this machine alone.')
  const count = await look.store.replicas.count()
  if (count === 0) return ok('No service uses this store now.')
  const share =
    settings.redis === undefined && count > 1 ? '. Without `redis`, each applies its part of every limit' : ''
  return ok(`${counted(count, 'replica')} ${count === 1 ? 'uses' : 'use'} this store now${share}.`)
}
