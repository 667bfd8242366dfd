// What reads find in memory: answers, if the settings allow them, and lookups. Answers are 200s of most routes, for some seconds, also
// in the store that replicas share. Callers are authorized before anything is looked up here.
import { groups, type Route } from '../catalogue/define.ts'
import type { Cursors, StableCursors } from '../engine/cursor.ts'
import type { CacheSeconds } from '../connection-settings.ts'
import type { Settings } from '../settings.ts'
import { etagOf, type Wishes } from '../../../base/web/conditional.ts'
import {
  createSharedAnswers,
  type SharedAnswerStore,
  type SharedAnswers,
  type Moment,
} from '../../../base/web/shared-answer-store.ts'
import { createOwnerIds } from '../../../base/web/owner-ids.ts'
import type { Reply } from '../../../base/web/reply.ts'
import { createAnswerStore, type Kept, type Look } from '../../../base/web/answer-store.ts'
import { LRUCache } from 'lru-cache'
import type { ListingMemory } from '../engine/ownership.ts'
import type { FoundIds, LookupCaches, LookupCache } from '../engine/lookup-cache.ts'

interface Asked {
  readonly route: Pick<Route, 'operation' | 'group' | 'neverCached' | 'complete'>
  /** `get` is the same function while connection and credential stay the same; `identity` is the same text in every replica */
  readonly open: { readonly get: object; readonly identity: string; readonly cacheSeconds?: CacheSeconds }
  readonly ids: Readonly<Record<string, string>>
  readonly query: string
}

export type Looked =
  | { readonly found: Reply }
  | {
      readonly found?: undefined
      keep(bytes: Buffer): Reply | Promise<Reply>
      /** removes a cached answer that the platform no longer has, or denies */
      gone(): void | Promise<void>
    }

export interface Answers {
  look(asked: Asked, wishes: Wishes): Looked | undefined | Promise<Looked>
  readonly cursors: Cursors
  /** bytes of all entries in memory, with their names */
  readonly size: () => number
}

export interface AnswersOptions {
  readonly cacheSeconds: CacheSeconds
  readonly cursors: StableCursors
  readonly steady: () => number
  /** of all replicas; absent: each caches by itself */
  readonly shared?: SharedAnswerStore | undefined
}

const secondsFor = (given: CacheSeconds | undefined, group: string): number | undefined =>
  typeof given === 'object' ? given[group] : given

/** Unique for each request: neither an operation nor a query holds a blank, and the ids come last, as JSON. Answers without
 * personal data have names of their own. */
function nameOf({ route, ids, query }: Asked): string {
  const sorted = query.includes('&') ? query.split('&').sort().join('&') : query
  const operation = route.complete ? `${route.operation}-reduced` : route.operation
  return `${operation} ${sorted} ${JSON.stringify(Object.values(ids))}`
}

function recall({ askedAt, maxAgeSec, wishes }: Look, { bytes, etag, at }: Kept): Reply | undefined {
  const ageMs = askedAt - at
  if (ageMs > wishes.maxAgeSec * 1000) return undefined
  const ageSec = Math.floor(ageMs / 1000)
  return { take: () => bytes, told: { etag, hit: true, status: `hit; ttl=${maxAgeSec - ageSec}`, ageSec, maxAgeSec } }
}

/** why it was not a hit, in the words of RFC 9211 */
const reasonOf = ({ wishes }: Look, held: Kept | undefined) => (wishes.fresh || held ? 'request' : 'uri-miss')

export function createAnswers({ cacheSeconds, cursors, steady, shared }: AnswersOptions): Answers {
  const local = createAnswerStore(steady)
  const numberOf = createOwnerIds()
  const there = shared && createSharedAnswers(shared, local)

  /** `asked`: on the shared clock; null: an answer that was requested later is there */
  function keep(look: Look, bytes: Buffer, reason: string, asked?: Moment | null): Reply {
    const { askedAt, maxAgeSec, wishes } = look
    const etag = etagOf(bytes)
    const one = { bytes, etag, at: askedAt, ...(asked && { stamp: asked.stamp }) }
    const stored = wishes.keep && asked !== null && local.put(look, one) ? '; stored' : ''
    return { take: () => bytes, told: { etag, hit: false, status: `fwd=${reason}${stored}`, ageSec: 0, maxAgeSec } }
  }

  function lookHere(look: Look): Looked {
    const held = look.wishes.fresh ? undefined : local.get(look)
    const found = held && recall(look, held)
    if (found) return { found }
    const reason = reasonOf(look, held)
    return { keep: (bytes) => keep(look, bytes, reason), gone: () => local.drop(look) }
  }

  async function lookThere(look: Look, name: string, side: SharedAnswers): Promise<Looked> {
    const seen = await side.look(look, name)
    if (!seen) return lookHere(look)
    const { asked, held } = seen
    const found = held && recall(look, held)
    if (found) return { found }
    const reason = reasonOf(look, held)
    return {
      async keep(bytes) {
        const standing = look.wishes.keep ? await side.put(look, name, asked, bytes) : undefined
        return keep(look, bytes, reason, standing ?? null)
      },
      gone: () => side.drop(look, name, asked),
    }
  }

  return {
    cursors: { ...cursors, seal: cursors.sealStable },
    size: local.size,
    look(asked, wishes) {
      const { route, open } = asked
      const maxAgeSec = secondsFor(open.cacheSeconds, route.group) ?? secondsFor(cacheSeconds, route.group) ?? 0
      if (maxAgeSec === 0 || route.neverCached !== undefined) return undefined
      const name = nameOf(asked)
      const look = { name: `${numberOf(open.get)} ${name}`, askedAt: steady(), maxAgeSec, wishes }
      return there ? lookThere(look, `${open.identity} ${name}`, there) : lookHere(look)
    },
  }
}

/** Throws one Error that names each setting with an unknown group. */
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

/** names hold ids from requests */
const [mostLookupBytes, longestName, entryBytes] = [8 * 1024 * 1024, 2_048, 256]
/** an entry in use stays for the second time at most: a locale may have become ambiguous */
const [idleMs, longestMs] = [60_000, 600_000]

interface KeptLookup {
  readonly found: FoundIds
  readonly at: number
}

const [mostListingBytes, listingMs] = [16 * 1024 * 1024, 60_000]
/** ids are as long as the platform makes them */
const [idBytes, letterBytes] = [64, 2]

function listingBytes(ids: ReadonlySet<string>, name: string): number {
  let bytes = entryBytes + letterBytes * name.length
  for (const id of ids) bytes += idBytes + letterBytes * id.length
  return bytes
}

/** whole listings for proofs of ownership: of one connection with one credential, for a minute at most */
export function createListingMemories(steady: () => number) {
  const kept = new LRUCache<string, ReadonlySet<string>>({
    ttl: listingMs,
    ttlResolution: 0,
    perf: { now: steady },
    maxSize: mostListingBytes,
    sizeCalculation: listingBytes,
  })
  const numberOf = createOwnerIds()
  return {
    /** `fresh`: one that never hits but stores what it learns */
    of(owner: object, fresh: boolean): ListingMemory {
      const prefix = `${numberOf(owner)} `
      return {
        get: (name) => (fresh ? undefined : kept.get(prefix + name)),
        set: (name, ids) => void (name.length <= longestName && kept.set(prefix + name, ids)),
      }
    },
  }
}

/** bounded in size and age, and separate for each connection and credential */
export function createLookupCaches(steady: () => number): LookupCaches {
  const kept = new LRUCache<string, KeptLookup>({
    ttl: idleMs,
    ttlResolution: 0,
    updateAgeOnGet: true,
    perf: { now: steady },
    maxSize: mostLookupBytes,
    sizeCalculation: (_, name) => 2 * name.length + entryBytes,
  })
  const numberOf = createOwnerIds()

  function cacheOf(owner: object): LookupCache {
    const prefix = `${numberOf(owner)} `
    return {
      get(name) {
        const one = kept.get(prefix + name)
        return one && steady() - one.at < longestMs ? one.found : undefined
      },
      set: (name, found) => void (name.length <= longestName && kept.set(prefix + name, { found, at: steady() })),
      delete: (name) => void kept.delete(prefix + name),
    }
  }

  const caches = new WeakMap<object, LookupCache>()
  return {
    of(owner, fresh) {
      const cache = caches.get(owner) ?? cacheOf(owner)
      caches.set(owner, cache)
      return fresh ? { ...cache, get: () => undefined } : cache
    },
  }
}
