// Sessions of the console: who signed in, until when. What this process remembers of them, and of what the browser keeps only
// the hash. Where they are kept for all replicas (src/replicas/sessions.ts), this is what goes on while nobody can be asked.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { OperatorTokens, Recognised } from '../../keys/operator-token.ts'

export interface Session {
  readonly who: string
  /** what a page must say beside its cookie, which browsers send on behalf of anybody */
  readonly csrf: string
  readonly startedAt: number
  readonly endsAt: number
}

export interface Begun {
  /** for the browser, and kept nowhere here */
  readonly secret: string
  readonly session: Session
}

/** `unknown`: where all replicas keep them cannot be asked, and this one has not heard of it */
export type Found = Session | 'ended' | 'unknown'

export interface Sessions {
  /** how long one may be idle */
  readonly idleMs: number
  begin(holder: Recognised): Promise<Begun>
  find(secret: string): Promise<Found>
  isLive(session: Session): Promise<boolean>
  /** somebody is there: it is not idle */
  stir(session: Session): Promise<void>
  end(session: Session): Promise<void>
  close(): void
}

/** what is kept of one beside itself; times are milliseconds of this process's clock */
export interface Kept {
  /** the hash of its secret */
  readonly name: string
  /** of the token that it was begun with */
  readonly digest: Buffer
  readonly startedAt: number
  readonly endsAt: number
  readonly stirredAt: number
}

export interface SessionMemory {
  readonly idleMs: number
  readonly longestMs: number
  readonly most: number
  begin(holder: Recognised): Begun
  /** the live session of this secret */
  find(secret: string): Session | undefined
  /** the live session of this name */
  called(name: string): Session | undefined
  names(): readonly string[]
  /** also of one that has ended */
  keptOf(session: Session): Kept | undefined
  /** remembers one that is known elsewhere as it is there */
  adopt(heard: Pick<Session, 'who' | 'csrf'> & Kept): Session
  isLive(session: Session): boolean
  stir(session: Session): void
  end(session: Session): void
}

export interface SessionsOptions {
  readonly tokens: Pick<OperatorTokens, 'holds'>
  readonly now: () => number
  readonly idleMs?: number
  readonly longestMs?: number
  readonly most?: number
}

const minute = 60_000
const secretForm = /^[\w-]{43}$/
const makeSecret = (): string => randomBytes(32).toString('base64url')

/** undefined where it has not the form of one */
export const nameOf = (secret: string): string | undefined =>
  secretForm.test(secret) ? hash('sha256', secret) : undefined

/** in a time that says nothing of either */
export const isCsrf = ({ csrf }: Session, given: string | undefined): boolean =>
  given !== undefined && timingSafeEqual(hash('sha256', csrf, 'buffer'), hash('sha256', given, 'buffer'))

export function createSessions(options: SessionsOptions): SessionMemory {
  const { tokens, now, idleMs = 30 * minute, longestMs = 12 * 60 * minute, most = 200 } = options
  /** by the hash of the secret, the one that was idle longest first */
  const byName = new Map<string, Session>()
  const kept = new WeakMap<Session, Kept>()

  function isLive(session: Session): boolean {
    const mine = kept.get(session)
    if (!mine) return false
    const { name, digest, startedAt, endsAt, stirredAt } = mine
    const at = now()
    // a clock that was set back must not make it last; by less than that, it may still be a clock that was put right
    const inTime = at >= startedAt && at < endsAt && Math.abs(at - stirredAt) < idleMs
    return inTime && byName.has(name) && tokens.holds(digest)
  }

  function end(session: Session) {
    byName.delete(kept.get(session)?.name ?? '')
  }

  function makeRoom() {
    for (const one of byName.values()) if (!isLive(one)) end(one)
    const [idlest] = byName.values()
    if (idlest && byName.size >= most) end(idlest)
  }

  function keep(session: Session, mine: Kept) {
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
    ...{ idleMs, longestMs, most, isLive, end, called },
    names: () => [...byName.keys()],
    keptOf: (session) => kept.get(session),
    begin({ who, digest }) {
      makeRoom()
      const [secret, at] = [makeSecret(), now()]
      const times = { startedAt: at, endsAt: at + longestMs }
      const session = { who, csrf: makeSecret(), ...times }
      keep(session, { name: hash('sha256', secret), digest, ...times, stirredAt: at })
      return { secret, session }
    },
    adopt({ who, csrf, ...heard }) {
      // one and the same as long as it is known: streams are counted by it
      const known = byName.get(heard.name)
      if (known) {
        kept.set(known, heard)
        return known
      }
      makeRoom()
      const session = { who, csrf, startedAt: heard.startedAt, endsAt: heard.endsAt }
      keep(session, heard)
      return session
    },
    find: (secret) => called(nameOf(secret) ?? ''),
    stir(session) {
      const mine = kept.get(session)
      if (mine && isLive(session)) keep(session, { ...mine, stirredAt: now() })
    },
  }
}

/** those of this process, which no other hears of */
export function sessionsOf(memory: SessionMemory): Sessions {
  return {
    idleMs: memory.idleMs,
    begin: async (holder) => memory.begin(holder),
    find: async (secret) => memory.find(secret) ?? 'ended',
    isLive: async (session) => memory.isLive(session),
    stir: async (session) => memory.stir(session),
    end: async (session) => memory.end(session),
    close: () => {},
  }
}
