// Whether the Redis that replicas share is there, lets us in, and keeps what is counted in it; and how many replicas there are.
import { counted } from '../counted.ts'
import type { LookedAtRedis } from '../replicas/redis-probe.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { Patient } from './patient.ts'

const [oldestMajor, oldestMinor] = [6, 2]
/** of its memory, before it is said to be nearly full */
const nearlyFull = 0.9

const unusable = 'The Redis cannot be used: each replica takes its part.'

const copied = 'Name its primary server, or an address that leads to it after a failover.'
const denied = 'Let that user use all commands for keys and channels that begin with `vitrine:`.'

/** what the code of an error, of the server or of the network, calls for */
const cures: readonly (readonly [RegExp, string])[] = [
  [
    /^(WRONGPASS|NOAUTH)$/,
    'Give user and password of that server in the setting `redis`, or the password in redisPasswordFile.',
  ],
  [/^ECONNREFUSED$/, 'See whether the server runs, and whether it listens at the address in the setting `redis`.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'See whether the name in the setting `redis` is right.'],
  [
    /CERT|SSL|TLS|^EPROTO$|^UNABLE_TO_/,
    'Use rediss:// where the server speaks TLS, with a certificate that this machine trusts.',
  ],
  [/^(READONLY|MASTERDOWN)$/, copied],
  [/^OOM$/, 'Raise its maxmemory, or give Vitrine a server of its own.'],
  [/^MISCONF$/, 'See why its last snapshot failed, or turn snapshots off (`save ""`): nothing in it has to last.'],
  [/^NOREPLICAS$/, 'See where the servers are that should follow it: it takes no writes without them.'],
  [/^LOADING$/, 'Wait until it has loaded its data.'],
  // within a script Redis 7 has no code of its own for a right that is missing
  [/^(NOPERM|ERR)$/, denied],
]
const anyway = 'See whether the setting `redis` names a Redis or Valkey server that this machine can reach.'

/** what the client says of bytes that are none of Redis is for its authors; some programs cut the connection at once */
function causeOf(reason: string, code: string): string {
  if (code === 'NOAUTH') return 'it wants a password (NOAUTH)'
  if (/Unknown RESP|Protocol error/.test(reason)) return 'what answers there is no Redis'
  return /^(EPIPE|ECONNRESET|connection_closed)$/.test(code) ? 'the connection was cut before an answer' : reason
}

const cureOf = (code: string): string => cures.find(([pattern]) => pattern.test(code))?.[1] ?? anyway

function versionOf({ valkey_version: valkey, redis_version: redis }: Readonly<Record<string, string>>): string {
  return valkey === undefined ? `Redis ${redis ?? ''}`.trim() : `Valkey ${valkey}`
}

function isOld({ valkey_version: valkey, redis_version: redis = '' }: Readonly<Record<string, string>>): boolean {
  const [major = 0, minor = 0] = redis.split('.').map(Number)
  return valkey === undefined && (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
}

/** whether what is counted there stays */
function judgeMemory(info: Readonly<Record<string, string>>): Verdict | undefined {
  const { maxmemory_policy: policy = 'noeviction', maxmemory_human: most = '' } = info
  const [limit, used] = [Number(info['maxmemory']), Number(info['used_memory'])]
  if (!(limit > 0)) return undefined
  if (policy !== 'noeviction')
    return warn('The Redis may drop what replicas have counted in it.', {
      cause: `its maxmemory is ${most}, and its maxmemory-policy ${policy}`,
      cure: 'Set maxmemory-policy to noeviction, or give Vitrine a server of its own with room: a dropped count lets more in.',
    })
  if (used < nearlyFull * limit) return undefined
  return warn('The memory of the Redis is nearly full.', {
    cause: `${Math.floor((used / limit) * 100)} % of ${most} are in use, and it then refuses to count`,
    cure: 'Raise its maxmemory, or give Vitrine a server of its own.',
  })
}

/** what it is, whatever it was asked */
function judgeRole(place: string, info: Readonly<Record<string, string>>): Verdict | undefined {
  if (info['cluster_enabled'] === '1')
    return fail(unusable, { cause: `${place} is in cluster mode`, cure: 'Name a server that is not in cluster mode.' })
  if (info['role'] === 'slave')
    return fail(unusable, { cause: `${place} is a copy that may only be read`, cure: copied })
  return undefined
}

function judgeInfo(place: string, info: Readonly<Record<string, string>>): Verdict {
  const memory = judgeMemory(info)
  if (memory) return memory
  if (isOld(info))
    return warn(`${versionOf(info)} is older than what Vitrine is tried with.`, {
      cure: `Use Redis ${oldestMajor}.${oldestMinor} or newer, or Valkey.`,
    })
  return ok(`${versionOf(info)} answers at ${place}.`)
}

const full = 'The memory of the Redis is full or nearly full, and it refuses to count: each replica takes its part.'

export function judgeLookedAt({ place, reason, info, refusal, code = '' }: LookedAtRedis): Verdict {
  const role = info && judgeRole(place, info)
  const refused = reason ?? refusal
  if (role) return role
  if (refused !== undefined)
    return fail(code === 'OOM' ? full : unusable, {
      cause: `${place}: ${causeOf(refused, code)}`,
      cure: cureOf(code),
    })
  return info ? judgeInfo(place, info) : ok(`The server at ${place} answers; it may not be asked about itself.`)
}

export async function judgeRedis({ settings: { redis } }: Patient, signal: AbortSignal): Promise<Verdict> {
  if (redis === undefined) return ok('The setting `redis` names none.')
  const { lookAtRedis } = await import('../replicas/redis-probe.ts')
  return judgeLookedAt(await lookAtRedis(redis, signal))
}

export async function judgeReplicas({ look, sound, settings }: Patient): Promise<Verdict> {
  if (!look || !sound || !look.store.isShared) return ok('The store is of one machine, which is the only one.')
  const count = await look.store.replicas.count()
  if (count === 0) return ok('Nobody serves over this store now.')
  const share = settings.redis === undefined && count > 1 ? ': without `redis`, each has its part of every limit' : ''
  return ok(`${counted(count, 'replica')} ${count === 1 ? 'serves' : 'serve'} over this store now${share}.`)
}
