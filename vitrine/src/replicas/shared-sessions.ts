// Console sessions over all replicas: signing in or out at one holds at all. Redis decides by its own clock; while it is
// down, each replica goes on with the sessions that it knows.
import { LRUCache } from 'lru-cache'
import type {
  Found,
  SessionRecord,
  Session,
  SessionMemory,
  Sessions,
  SessionsOptions,
} from '../../../base/auth/sessions.ts'
import { nameOf } from '../../../base/auth/sessions.ts'
import type { OperatorTokens } from '../../../base/auth/operator-token.ts'
import type { Store } from '../store/store.ts'
import type { Redis } from '../../../base/redis/redis.ts'
import { createSessionSeal } from './session-seal.ts'
import { createSessionStore, type ReadSession, type SessionStore } from './session-store.ts'

/** how soon an end at another replica, or one that Redis missed, holds here */
const sweepMs = 1_000
const mostEnds = 1_000

interface SharedSessionsOptions extends Pick<SessionsOptions, 'tokens' | 'now'> {
  readonly store: SessionStore
  readonly memory: SessionMemory
  readonly isUp: () => boolean
}

/** Sessions that ended here. Their end is sent until Redis has it, and again where another replica stored the session anew. */
function createEnds(store: SessionStore, longestMs: number) {
  const ended = new LRUCache<string, true>({ max: mostEnds, ttl: longestMs })
  const tell = async (name: string) => {
    ended.set(name, true)
    await store.end(name)
  }
  return {
    has: (name: string) => ended.has(name),
    tell,
    async tellAll() {
      const names = [...ended.keys()]
      const states = names.length > 0 ? await store.states(names) : undefined
      await Promise.all(names.filter((_, n) => states && states[n] !== 'ended').map((name) => store.end(name)))
    },
  }
}

const shifted = ({ digest, startedAt, endsAt, usedAt }: Omit<SessionRecord, 'name'>, ms: number) => ({
  digest,
  startedAt: startedAt + ms,
  endsAt: endsAt + ms,
  usedAt: usedAt + ms,
})

export function createSharedSessions({ store, memory, tokens, now, isUp }: SharedSessionsOptions): Sessions {
  const ends = createEnds(store, memory.longestMs)
  async function end(session: Session) {
    memory.end(session)
    const name = memory.keptOf(session)?.name
    if (name !== undefined) await ends.tell(name)
  }

  /** stores a session that Redis lacks: it began while Redis was down, or Redis lost it */
  async function put(session: Session) {
    const at = await store.now()
    const kept = memory.keptOf(session)
    if (at === undefined || !kept) return
    const { who, role, csrf } = session
    await store.put(kept.name, { who, role, csrf, ...shifted(kept, Math.round(at - now())) })
  }

  /** Redis may have another clock than before: a leap shorter than the idle time is accepted */
  const isInTime = ({ at, startedAt, endsAt }: ReadSession) => at < endsAt && at > startedAt - memory.idleMs

  async function goOn(found: ReadSession, name: string): Promise<Found> {
    const { who, role, csrf, at } = found
    const session = memory.adopt({ name, who, role, csrf, ...shifted(found, Math.round(now() - at)) })
    if (isInTime(found) && tokens.isValid(found.digest)) return session
    await end(session)
    return 'ended'
  }

  async function look(name: string): Promise<Found> {
    if (ends.has(name)) return 'ended'
    const found = await store.find(name)
    if (found !== undefined && found !== null && found !== 'ended') return goOn(found, name)
    const mine = memory.called(name)
    if (found === undefined) return mine ?? 'unknown'
    if (!mine) return 'ended'
    if (found === 'ended') memory.end(mine)
    else await put(mine)
    return found ?? mine
  }

  /** learns of ends at other replicas before Redis may go down */
  async function sweep() {
    if (!isUp()) return
    await ends.tellAll()
    const names = memory.names()
    const states = names.length > 0 ? await store.states(names) : []
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
    async touch(session) {
      memory.touch(session)
      const name = memory.keptOf(session)?.name
      if (name !== undefined) await store.touch(name)
    },
    close: () => clearInterval(sweeping),
  }
}

export interface SharedSessionsParts extends Pick<SessionsOptions, 'now'> {
  readonly tokens: Pick<OperatorTokens, 'isValid' | 'validTokens'>
}

export async function shareSessions(redis: Redis, store: Pick<Store, 'secret'>) {
  const secret = await store.secret('replicas')
  return (memory: SessionMemory, parts: SharedSessionsParts): Sessions => {
    const seal = createSessionSeal(secret, parts.tokens)
    const sessions = createSessionStore({ redis, seal, ...memory })
    return createSharedSessions({ ...parts, store: sessions, memory, isUp: () => redis.isUp() })
  }
}
