// The quota of platform keys in Redis, shared by all replicas. It holds counts, under hashes of names.
import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { QuotaWindow } from '../platform/port.ts'
import type { Rates } from '../platform/schedule/rate-header.ts'
import { sharedQuotaScript } from './shared-quota-script.ts'
import type { Redis } from '../../../base/redis/redis.ts'
import type { RedisValue } from '../../../base/redis/redis-protocol.ts'
import { keyUsageScript } from './key-usage.ts'

export interface KeyUsage {
  readonly calls: number
  readonly idleMs: number
}

export interface SharedQuotaOptions {
  readonly redis: Pick<Redis, 'run' | 'name' | 'isUp' | 'state' | 'whenBack'>
  readonly holdMs: number
  readonly mostInFlight: () => number
  /** the length of the platform's hour; shorter in tests. Its minute is a sixtieth of it. */
  readonly hourMs?: number
}

const windowOf = (limit: number, remaining: number): QuotaWindow | undefined =>
  limit < 0 ? undefined : { limit, remaining: Math.floor(remaining) }

/** a longer wait can only come from tampering */
const mostWaitMs = 2 * 3_600_000
const mostUnconfirmed = 1_000

export type QuotaStanding = NonNullable<ReturnType<typeof standingOf>>

/** what the script answers: `waitMs` until the next call would be granted, of which a 429 caused `pausedMs` */
function standingOf(answer: unknown, act: string) {
  if (!Array.isArray(answer) || answer.length !== 9 || !answer.every(Number.isSafeInteger)) return undefined
  if (Math.max(...answer.slice(1, 3)) > mostWaitMs) return undefined
  const [granted, waitMs, pausedMs, careful, idleMs, hourLimit, hourLeft, minuteLimit, minuteLeft] = answer as number[]
  // a call that is not granted has to wait
  if (act === 'reserve' && granted !== 1 && waitMs === 0) return undefined
  const [hour, minute] = [windowOf(hourLimit ?? -1, hourLeft ?? 0), windowOf(minuteLimit ?? -1, minuteLeft ?? 0)]
  return {
    granted: granted === 1,
    waitMs: waitMs ?? 0,
    pausedMs: pausedMs ?? 0,
    /** one call of all replicas tries first, before the others follow */
    careful: careful === 1,
    idleMs: idleMs ?? 0,
    ...(hour && { hour }),
    ...(minute && { minute }),
  }
}

type End = 'ended' | 'release'

/** The ends of reservations that Redis did not confirm: a reservation that never ends would block all replicas. */
function createUnconfirmed() {
  const ends = new LRUCache<string, End>({ maxSize: mostUnconfirmed, sizeCalculation: () => 1 })

  return {
    isEmpty: () => ends.size === 0,
    said(act: string, id: string, isConfirmed: boolean) {
      if (isConfirmed) ends.delete(id)
      else if (act !== 'reserve' && id !== '') ends.set(id, act === 'release' ? 'release' : 'ended')
    },
    /** to be sent again */
    take(): readonly (readonly [string, End])[] {
      const all = [...ends]
      ends.clear()
      return all
    },
  }
}

/** whether this Redis server knows of all our calls, and since when */
function createDoubts(redis: SharedQuotaOptions['redis']) {
  let knownSince: number | undefined
  /** a call was made without a reservation: the next read must be sent as doubtful, too */
  let hasMissed = false
  return {
    tell(act: string): boolean {
      const { since } = redis.state()
      const isDoubted = (act === 'reserve' || (act === 'look' && hasMissed)) && knownSince !== since
      if (isDoubted) [knownSince, hasMissed] = [since, false]
      return isDoubted
    },
    unheard: () => void (knownSince = undefined),
    missed: () => void ([knownSince, hasMissed] = [undefined, true]),
  }
}

const mostFacadeKeys = 1_000

async function tellUses(redis: SharedQuotaOptions['redis'], name: string, values: readonly RedisValue[]) {
  const answer = await redis.run(keyUsageScript, [name], values)
  if (!Array.isArray(answer)) return undefined
  const uses = new Map<string, KeyUsage>()
  for (let i = 0; i < answer.length; i += 3)
    uses.set(String(answer[i]), { calls: Number(answer[i + 1]), idleMs: Number(answer[i + 2]) })
  return uses
}

export type SharedQuota = ReturnType<ReturnType<typeof createSharedQuotas>>

/** how many keys send their unconfirmed ends at once: those of all would keep Redis from answering in time */
const resendsAtOnce = 16

/** Of each question: undefined where Redis did not answer, and the replica goes on alone. */
export function createSharedQuotas(options: SharedQuotaOptions) {
  const { redis, holdMs, mostInFlight, hourMs = 3_600_000 } = options
  const own = randomBytes(9).toString('base64url')
  let lastId = 0
  /** each sends the unconfirmed ends of one key */
  const resends = new Set<() => Promise<unknown>>()
  /** as soon as Redis is back: calls of other replicas may wait for them */
  async function resendAll() {
    for (const all = [...resends]; all.length > 0 && redis.isUp();)
      await Promise.all(all.splice(-resendsAtOnce).map((resend) => resend()))
  }
  redis.whenBack(() => void resendAll())
  return (key: string) => {
    const name = redis.name('quota', hash('sha256', key, 'base64url').slice(0, 22))
    const [unconfirmed, doubts] = [createUnconfirmed(), createDoubts(redis)]
    function resend() {
      resends.delete(resend)
      return Promise.all(unconfirmed.take().map(([late, end]) => send(end, late)))
    }
    async function send(act: string, id: string, ...values: readonly RedisValue[]): Promise<QuotaStanding | undefined> {
      const isDoubted = doubts.tell(act)
      const answer = await redis.run(
        sharedQuotaScript,
        [name],
        [act, `${own}${id}`, isDoubted ? 1 : 0, mostInFlight(), holdMs, hourMs, ...values],
      )
      const standing = standingOf(answer, act)
      unconfirmed.said(act, id, standing !== undefined)
      if (!standing) doubts.unheard()
      if (unconfirmed.isEmpty()) return standing
      if (standing) void resend()
      else resends.add(resend)
      return standing
    }

    /** Redis knows nothing of a call without a reservation: after an outage there may be thousands */
    const end = async (act: End, id: string) => (id === '' ? undefined : send(act, id))

    return {
      isUp: () => redis.isUp(),
      /** of a reservation: no other of this process has it. Empty while Redis is down, which hears of none. */
      newId: () => (redis.isUp() ? (++lastId).toString(36) : ''),
      /** a trial is always granted, and counted */
      reserve: (id: string, isTrial: boolean) => send('reserve', id, isTrial ? 1 : 0),
      heard: (id: string, { hour, minute }: Rates, isRefusal: boolean) => {
        const reported = [hour?.limit, hour?.remaining, minute?.limit, minute?.remaining]
        return send('heard', id, isRefusal ? 1 : 0, ...reported.map((value) => value ?? ''))
      },
      /** after a 429; without a time, the pause doubles with each 429 in a row */
      rest: (retryAfterSec: number | undefined) =>
        send('rest', '', retryAfterSec === undefined ? '' : Math.ceil(retryAfterSec * 1_000)),
      /** no answer came, though the platform may have counted the call */
      ended: (id: string) => end('ended', id),
      release: (id: string) => end('release', id),
      read: () => send('look', ''),
      exchangeUsage: (calls: ReadonlyMap<string, number>) =>
        tellUses(redis, `${name}:uses`, [hourMs, mostFacadeKeys, ...[...calls].flat()]),
      /** a call is made without a reservation */
      noteMissed: doubts.missed,
    }
  }
}
