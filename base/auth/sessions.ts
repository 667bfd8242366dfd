// Console sessions: who signed in, and until when. Only hashes of the browser's secrets are kept. Without a shared store,
// or while it is away, the sessions of this process are used.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { digestOf } from '../core/digest-and-random.ts'
import type { OperatorTokens, RecognisedToken } from './operator-token.ts'

export interface Session {
  readonly who: string
  readonly role: string | undefined
  /** must accompany the cookie, which browsers send also for other pages (CSRF) */
  readonly csrf: string
  readonly startedAt: number
  readonly endsAt: number
}

export interface Begun {
  readonly secret: string
  readonly session: Session
}

/** `unknown`: the shared store is unreachable, and this process does not know the session */
export type Found = Session | 'ended' | 'unknown'

export interface Sessions {
  readonly idleMs: number
  begin(holder: RecognisedToken): Promise<Begun>
  find(secret: string): Promise<Found>
  isLive(session: Session): Promise<boolean>
  touch(session: Session): Promise<void>
  end(session: Session): Promise<void>
  close(): void
}

export interface SessionRecord {
  readonly name: string
  readonly digest: Buffer
  readonly startedAt: number
  readonly endsAt: number
  readonly usedAt: number
}

export interface SessionMemory {
  readonly idleMs: number
  readonly longestMs: number
  readonly most: number
  begin(holder: RecognisedToken): Begun
  find(secret: string): Session | undefined
  called(name: string): Session | undefined
  names(): readonly string[]
  keptOf(session: Session): SessionRecord | undefined
  adopt(heard: Pick<Session, 'who' | 'role' | 'csrf'> & SessionRecord): Session
  isLive(session: Session): boolean
  touch(session: Session): void
  end(session: Session): void
}

export interface SessionsOptions {
  readonly tokens: Pick<OperatorTokens, 'isValid'>
  readonly now: () => number
  readonly idleMs?: number
  readonly longestMs?: number
  readonly most?: number
}

const minute = 60_000
const secretForm = /^[\w-]{43}$/
const makeSecret = (): string => randomBytes(32).toString('base64url')

export const nameOf = (secret: string): string | undefined =>
  secretForm.test(secret) ? hash('sha256', secret) : undefined

export const isCsrf = ({ csrf }: Session, given: string | undefined): boolean =>
  given !== undefined && timingSafeEqual(digestOf(csrf), digestOf(given))

export function createSessions(options: SessionsOptions): SessionMemory {
  const { tokens, now, idleMs = 30 * minute, longestMs = 12 * 60 * minute, most = 200 } = options
  const byName = new Map<string, Session>()
  const kept = new WeakMap<Session, SessionRecord>()

  function isLive(session: Session): boolean {
    const mine = kept.get(session)
    if (!mine) return false
    const { name, digest, startedAt, endsAt, usedAt } = mine
    const at = now()
    // a clock that was set back must not prolong a session; small corrections are tolerated
    const inTime = at >= startedAt && at < endsAt && Math.abs(at - usedAt) < idleMs
    return inTime && byName.has(name) && tokens.isValid(digest)
  }

  function end(session: Session) {
    byName.delete(kept.get(session)?.name ?? '')
  }

  function makeRoom() {
    for (const one of byName.values()) if (!isLive(one)) end(one)
    const [idlest] = byName.values()
    if (idlest && byName.size >= most) end(idlest)
  }

  function keep(session: Session, mine: SessionRecord) {
    kept.set(session, mine)
    byName.delete(mine.name)
    byName.set(mine.name, session)
  }

  function called(name: string): Session | undefined {
    const session = byName.get(name)
    if (!session || isLive(session)) return session
    end(session)
    return undefined
  }

  return {
    idleMs,
    longestMs,
    most,
    isLive,
    end,
    called,
    names: () => [...byName.keys()],
    keptOf: (session) => kept.get(session),
    begin({ who, role, digest }) {
      makeRoom()
      const [secret, at] = [makeSecret(), now()]
      const times = { startedAt: at, endsAt: at + longestMs }
      const session = { who, role, csrf: makeSecret(), ...times }
      keep(session, { name: hash('sha256', secret), digest, ...times, usedAt: at })
      return { secret, session }
    },
    adopt({ who, role, csrf, ...heard }) {
      // keeps the same object: streams are counted by it
      const known = byName.get(heard.name)
      if (known) {
        kept.set(known, heard)
        return known
      }
      makeRoom()
      const session = { who, role, csrf, startedAt: heard.startedAt, endsAt: heard.endsAt }
      keep(session, heard)
      return session
    },
    find: (secret) => called(nameOf(secret) ?? ''),
    touch(session) {
      const mine = kept.get(session)
      if (mine && isLive(session)) keep(session, { ...mine, usedAt: now() })
    },
  }
}

export function sessionsOf(memory: SessionMemory): Sessions {
  return {
    idleMs: memory.idleMs,
    begin: async (holder) => memory.begin(holder),
    find: async (secret) => memory.find(secret) ?? 'ended',
    isLive: async (session) => memory.isLive(session),
    touch: async (session) => memory.touch(session),
    end: async (session) => memory.end(session),
    close: () => {},
  }
}
