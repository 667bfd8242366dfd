// Sessions of the console over all replicas: whoever signs in at one is known to the others, and signing out holds for all. Redis
// decides, by its own clock, as long as it is heard; while it is away each replica goes on with those that it has heard of.
import type { Found, Kept, Session, SessionMemory, Sessions, SessionsOptions } from '../http/operator/sessions.ts'
import { nameOf } from '../http/operator/sessions.ts'
import type { OperatorTokens } from '../keys/operator-token.ts'
import type { Store } from '../store/records.ts'
import type { Redis } from './redis.ts'
import { createSessionSeal } from './session-seal.ts'
import { createSessionShelf, type Heard, type SessionShelf } from './session-shelf.ts'

/** how soon an end that was told elsewhere, or could not be told, holds everywhere */
const sweepMs = 1_000
/** ends that are remembered */
const mostEnded = 1_000

interface SharedSessionsOptions extends Pick<SessionsOptions, 'tokens' | 'now'> {
  readonly shelf: SessionShelf
  readonly memory: SessionMemory
  readonly isUp: () => boolean
}

interface Ends {
  has(name: string): boolean
  tell(name: string): Promise<void>
  tellAll(): Promise<void>
}

/**
 * What was ended here does not go on here, and is told as soon as may be; and again where Redis has lost that, and another
 * replica, which had not heard of it before, has put it back.
 */
function createEnds(shelf: SessionShelf, longestMs: number): Ends {
  const ended = new Map<string, number>()
  const tell = async (name: string) => {
    ended.set(name, performance.now())
    const [eldest] = ended.keys()
    if (ended.size > mostEnded && eldest !== undefined) ended.delete(eldest)
    await shelf.end(name)
  }
  return {
    has: (name) => ended.has(name),
    tell,
    async tellAll() {
      for (const [name, at] of ended) if (performance.now() - at > longestMs) ended.delete(name)
      const names = [...ended.keys()]
      const states = names.length > 0 ? await shelf.states(names) : undefined
      await Promise.all(names.filter((_, n) => states && states[n] !== 'ended').map((name) => shelf.end(name)))
    },
  }
}

/** from the times of one clock to those of another */
const shifted = ({ digest, startedAt, endsAt, stirredAt }: Omit<Kept, 'name'>, ms: number) => ({
  ...{ digest, startedAt: startedAt + ms, endsAt: endsAt + ms, stirredAt: stirredAt + ms },
})

export function createSharedSessions({ shelf, memory, tokens, now, isUp }: SharedSessionsOptions): Sessions {
  const ends = createEnds(shelf, memory.longestMs)
  async function end(session: Session) {
    memory.end(session)
    const name = memory.keptOf(session)?.name
    if (name !== undefined) await ends.tell(name)
  }

  /** what is known here, and not there: it began while Redis was away, or Redis has lost it */
  async function put(session: Session) {
    const at = await shelf.now()
    const kept = memory.keptOf(session)
    if (at === undefined || !kept) return
    const { who, csrf } = session
    await shelf.put(kept.name, { who, csrf, ...shifted(kept, Math.round(at - now())) })
  }

  /** by the clock of Redis, which may be another one than before: less than a session may be idle is no matter */
  const isInTime = ({ at, startedAt, endsAt }: Heard) => at < endsAt && at > startedAt - memory.idleMs

  async function goOn(heard: Heard, name: string): Promise<Found> {
    const { who, csrf, at } = heard
    const session = memory.adopt({ name, who, csrf, ...shifted(heard, Math.round(now() - at)) })
    if (isInTime(heard) && tokens.holds(heard.digest)) return session
    await end(session)
    return 'ended'
  }

  async function look(name: string): Promise<Found> {
    if (ends.has(name)) return 'ended'
    const heard = await shelf.find(name)
    if (heard !== undefined && heard !== null && heard !== 'ended') return goOn(heard, name)
    const mine = memory.called(name)
    if (heard === undefined) return mine ?? 'unknown'
    if (!mine) return 'ended'
    if (heard === 'ended') memory.end(mine)
    else await put(mine)
    return heard ?? mine
  }

  /** an end elsewhere is heard of before Redis may go away, and not only when somebody asks */
  async function sweep() {
    if (!isUp()) return
    await ends.tellAll()
    const names = memory.names()
    const states = names.length > 0 ? await shelf.states(names) : []
    for (const [i, name] of names.entries()) {
      const mine = memory.called(name)
      if (mine && states?.[i] === 'ended') memory.end(mine)
      if (mine && states?.[i] === null) await put(mine)
    }
  }

  const sweeping = setInterval(() => void sweep(), sweepMs).unref()
  return {
    idleMs: memory.idleMs,
    end,
    async begin(holder) {
      const begun = memory.begin(holder)
      await put(begun.session)
      return begun
    },
    async find(secret) {
      const name = nameOf(secret)
      return name === undefined ? 'ended' : look(name)
    },
    async isLive(session) {
      const name = memory.keptOf(session)?.name
      return name !== undefined && typeof (await look(name)) === 'object'
    },
    async stir(session) {
      memory.stir(session)
      const name = memory.keptOf(session)?.name
      if (name !== undefined) await shelf.stir(name)
    },
    close: () => clearInterval(sweeping),
  }
}

export interface SharedSessionsParts extends Pick<SessionsOptions, 'now'> {
  readonly tokens: Pick<OperatorTokens, 'holds' | 'known'>
}

/** how an operator's door shares what it remembers */
export async function shareSessions(redis: Redis, store: Pick<Store, 'secret'>) {
  const secret = await store.secret('replicas')
  return (memory: SessionMemory, parts: SharedSessionsParts): Sessions => {
    const envelopes = createSessionSeal(secret, parts.tokens)
    const shelf = createSessionShelf({ redis, envelopes, ...memory })
    return createSharedSessions({ ...parts, shelf, memory, isUp: () => redis.isUp() })
  }
}
