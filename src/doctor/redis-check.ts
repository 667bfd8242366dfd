// Whether the Redis that replicas share is there, lets us in, and keeps what is counted in it; and how many replicas there are.
import { counted } from '../counted.ts'
import type { LookedAtRedis } from '../replicas/redis-probe.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { Patient } from './patient.ts'

const [oldestMajor, oldestMinor] = [6, 2]
/** of its memory, before it is said to be nearly full */
const nearlyFull = 0.9

const unusable = 'The Redis cannot be used: each replica takes its part.'

/** what the words of the server, or of the network, call for */
const cures: readonly (readonly [RegExp, string])[] = [
  [
    /^(WRONGPASS|NOAUTH|ERR invalid password)|authentication/i,
    'Give user and password of that server in the setting `redis`, or the password in redisPasswordFile.',
  ],
  [/ECONNREFUSED/, 'See whether the server runs, and whether it listens at the address in the setting `redis`.'],
  [/ENOTFOUND|EAI_AGAIN/, 'See whether the name in the setting `redis` is right.'],
  [
    /certificate|SSL|TLS|EPROTO/i,
    'Use rediss:// where the server speaks TLS, with a certificate that this machine trusts.',
  ],
  [/NOPERM/, 'Let that user use all commands for keys and channels that begin with `vitrine:`.'],
]
const anyway = 'See whether the setting `redis` names a Redis or Valkey server that this machine can reach.'

/** what the client says of bytes that are none of Redis is for its authors; some programs cut the connection at once */
function causeOf(reason: string): string {
  if (reason.startsWith('NOAUTH')) return 'it wants a password (NOAUTH)'
  if (/Unknown RESP|Protocol error/.test(reason)) return 'what answers there is no Redis'
  return /EPIPE|ECONNRESET|Connection is closed/.test(reason) ? 'the connection was cut before an answer' : reason
}

const cureOf = (reason: string): string => cures.find(([pattern]) => pattern.test(reason))?.[1] ?? anyway

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

function judgeInfo(place: string, info: Readonly<Record<string, string>>): Verdict {
  if (info['cluster_enabled'] === '1')
    return fail(unusable, { cause: `${place} is in cluster mode`, cure: 'Name a server that is not in cluster mode.' })
  if (info['role'] === 'slave')
    return fail(unusable, { cause: `${place} is a copy that may only be read`, cure: 'Name its primary server.' })
  const memory = judgeMemory(info)
  if (memory) return memory
  if (isOld(info))
    return warn(`${versionOf(info)} is older than what Vitrine is tried with.`, {
      cure: `Use Redis ${oldestMajor}.${oldestMinor} or newer, or Valkey.`,
    })
  return ok(`${versionOf(info)} answers at ${place}.`)
}

export function judgeLookedAt({ place, reason, info, noScripts }: LookedAtRedis): Verdict {
  const refused = reason ?? noScripts
  if (refused !== undefined) return fail(unusable, { cause: `${place}: ${causeOf(refused)}`, cure: cureOf(refused) })
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
