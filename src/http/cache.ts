// Answers that are given again without asking the platform, where the operator wants it: 200s of most routes, for some
// seconds, in memory alone. Whoever asks has been admitted before anything is looked for here.
import { LRUCache } from 'lru-cache'
import { groups, type Route } from '../catalogue/define.ts'
import type { Cursors } from '../engine/cursor.ts'
import type { CacheSeconds } from '../setting-values.ts'
import type { Settings } from '../settings.ts'
import { etagOf, type Wishes } from './conditional.ts'
import { numberOwners } from './owners.ts'
import type { Reply } from './reply.ts'
import { steadySeals } from './seals.ts'

const mebibyte = 1024 * 1024
const mostBytes = 32 * mebibyte
const mostEntryBytes = 2 * mebibyte
/** what an entry costs beside its bytes and its name */
const entryBytes = 512
const sweepMs = 60_000
const goneBytes = { bytes: Buffer.alloc(0), etag: '' }

interface Asked {
  readonly route: Pick<Route, 'operation' | 'group' | 'neverRemembered'>
  /** `get` is one function as long as the connection and its credential stay as they are */
  readonly open: { readonly get: object; readonly cacheSeconds?: CacheSeconds }
  readonly ids: Readonly<Record<string, string>>
  readonly query: string
}

interface Kept {
  readonly bytes: Buffer
  readonly etag: string
  /** when the request came that it was read for: what is older has no say against it */
  readonly at: number
}

/** one request's look at what is remembered */
interface Look {
  readonly name: string
  readonly askedAt: number
  readonly maxAgeSec: number
  readonly wishes: Wishes
}

export type Looked =
  | { readonly found: Reply }
  | {
      readonly found?: undefined
      keep(bytes: Buffer): Reply
      /** it was read, and is there no longer, or not for us */
      gone(): void
    }

export interface Answers {
  /** what is remembered, or how to remember what is going to be read; undefined where nothing may be */
  look(asked: Asked, wishes: Wishes): Looked | undefined
  /** for pages that may be remembered */
  readonly cursors: Cursors
  /** bytes of all that is remembered, with names */
  readonly size: () => number
}

export interface AnswersOptions {
  /** for connections that do not say it themselves */
  readonly cacheSeconds: CacheSeconds
  readonly cursors: Cursors
  readonly steady: () => number
  readonly now: () => number
}

const secondsFor = (given: CacheSeconds | undefined, group: string): number | undefined =>
  typeof given === 'object' ? given[group] : given

/** what two questions never share; neither an operation nor a query has a blank in it, and only ids may have anything */
function nameOf({ route, ids, query }: Asked): string {
  const sorted = query.includes('&') ? query.split('&').sort().join('&') : query
  return `${route.operation} ${sorted} ${JSON.stringify(Object.values(ids))}`
}

function createShelf(steady: () => number) {
  const kept = new LRUCache<string, Kept>({
    ...{ maxSize: mostBytes, maxEntrySize: mostEntryBytes, perf: { now: steady }, ttlResolution: 0 },
    sizeCalculation: ({ bytes }, name) => bytes.length + 2 * name.length + entryBytes,
  })
  let sweptAt = steady()

  /** what nobody asks for again would otherwise stay until its room is needed */
  function sweep() {
    if (steady() - sweptAt < sweepMs) return
    sweptAt = steady()
    kept.purgeStale()
  }

  return {
    size: () => kept.calculatedSize,
    /** it is there no longer, and no slower read that began before brings it back */
    drop({ name, askedAt, maxAgeSec }: Look) {
      const held = kept.peek(name)
      if (!held || held.at <= askedAt) kept.set(name, { ...goneBytes, at: askedAt }, { ttl: maxAgeSec * 1000 })
    },
    get({ name, askedAt, maxAgeSec }: Look): Kept | undefined {
      const held = kept.get(name)
      // by what the settings say now, not when it was kept
      return held && held.etag !== goneBytes.etag && askedAt - held.at < maxAgeSec * 1000 ? held : undefined
    },
    /** whether this is what is remembered now */
    put(look: Look, one: Kept): boolean {
      const { name, maxAgeSec } = look
      sweep()
      const held = kept.peek(name)
      // a slow read never takes the place of one that began after it
      if (!held || held.at <= look.askedAt) kept.set(name, one, { ttl: maxAgeSec * 1000 })
      return kept.peek(name)?.etag === one.etag
    },
  }
}

export function createAnswers({ cacheSeconds, cursors, steady, now }: AnswersOptions): Answers {
  const shelf = createShelf(steady)
  const numberOf = numberOwners()

  function recall({ askedAt, maxAgeSec, wishes }: Look, { bytes, etag, at }: Kept): Reply | undefined {
    const ageMs = askedAt - at
    if (ageMs > wishes.maxAgeSec * 1000) return undefined
    const ageSec = Math.floor(ageMs / 1000)
    return { body: bytes, told: { etag, hit: true, status: `hit; ttl=${maxAgeSec - ageSec}`, ageSec, maxAgeSec } }
  }

  function keep(look: Look, bytes: Buffer, reason: string): Reply {
    const { askedAt, maxAgeSec, wishes } = look
    const etag = etagOf(bytes)
    const one = { bytes, etag, at: askedAt }
    const stored = wishes.keep && shelf.put(look, one) ? '; stored' : ''
    return { body: bytes, told: { etag, hit: false, status: `fwd=${reason}${stored}`, ageSec: 0, maxAgeSec } }
  }

  return {
    cursors: steadySeals(cursors, now),
    size: shelf.size,
    look(asked, wishes) {
      const { route, open } = asked
      const maxAgeSec = secondsFor(open.cacheSeconds, route.group) ?? secondsFor(cacheSeconds, route.group) ?? 0
      if (maxAgeSec === 0 || route.neverRemembered !== undefined) return undefined
      const name = `${numberOf(open.get)} ${nameOf(asked)}`
      const look = { name, askedAt: steady(), maxAgeSec, wishes }
      const held = wishes.fresh ? undefined : shelf.get(look)
      const found = held && recall(look, held)
      if (found) return { found }
      // what is still there would have done for a caller with other wishes
      const reason = wishes.fresh || held ? 'request' : 'uri-miss'
      return { keep: (bytes) => keep(look, bytes, reason), gone: () => shelf.drop(look) }
    },
  }
}

/** Throws one Error that names each setting with a group that is not there. */
export function checkCacheGroups({ cacheSeconds, connections }: Pick<Settings, 'cacheSeconds' | 'connections'>) {
  const known: readonly string[] = groups
  const all = [
    ['cacheSeconds', cacheSeconds] as const,
    ...Object.entries(connections).map(([id, one]) => [`connections: ${id}: cacheSeconds`, one.cacheSeconds] as const),
  ]
  const wrong = all.flatMap(([name, given]) =>
    Object.keys(typeof given === 'object' ? given : {})
      .filter((group) => !known.includes(group))
      .map((group) => `${name}: there is no group ${JSON.stringify(group)}; groups: ${known.join(', ')}`),
  )
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}
