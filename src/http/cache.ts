// Answers that are given again without asking the platform, where the operator wants it: 200s of most routes, for some
// seconds, in memory, and where replicas have a shelf in common, there. Whoever asks has been admitted before anything is
// looked for here.
import { groups, type Route } from '../catalogue/define.ts'
import type { Cursors, SteadyCursors } from '../engine/cursor.ts'
import type { CacheSeconds } from '../setting-values.ts'
import type { Settings } from '../settings.ts'
import { etagOf, type Wishes } from './conditional.ts'
import { createFarSide, type FarShelf, type FarSide, type Moment } from './far-shelf.ts'
import { numberOwners } from './owners.ts'
import type { Reply } from './reply.ts'
import { createShelf, type Kept, type Look } from './shelf.ts'

interface Asked {
  readonly route: Pick<Route, 'operation' | 'group' | 'neverRemembered'>
  /** `get` is one function as long as the connection and its credential stay as they are, and `identity` one text everywhere */
  readonly open: { readonly get: object; readonly identity: string; readonly cacheSeconds?: CacheSeconds }
  readonly ids: Readonly<Record<string, string>>
  readonly query: string
}

export type Looked =
  | { readonly found: Reply }
  | {
      readonly found?: undefined
      keep(bytes: Buffer): Reply | Promise<Reply>
      /** it was read, and is there no longer, or not for us */
      gone(): void | Promise<void>
    }

export interface Answers {
  /** what is remembered, or how to remember what is going to be read; undefined where nothing may be */
  look(asked: Asked, wishes: Wishes): Looked | undefined | Promise<Looked>
  /** for pages that may be remembered */
  readonly cursors: Cursors
  /** bytes of all that is remembered here, with names */
  readonly size: () => number
}

export interface AnswersOptions {
  /** for connections that do not say it themselves */
  readonly cacheSeconds: CacheSeconds
  readonly cursors: SteadyCursors
  readonly steady: () => number
  /** of all replicas; without one each remembers by itself */
  readonly far?: FarShelf | undefined
}

const secondsFor = (given: CacheSeconds | undefined, group: string): number | undefined =>
  typeof given === 'object' ? given[group] : given

/** what two questions never share; neither an operation nor a query has a blank in it, and only ids may have anything */
function nameOf({ route, ids, query }: Asked): string {
  const sorted = query.includes('&') ? query.split('&').sort().join('&') : query
  return `${route.operation} ${sorted} ${JSON.stringify(Object.values(ids))}`
}

function recall({ askedAt, maxAgeSec, wishes }: Look, { bytes, etag, at }: Kept): Reply | undefined {
  const ageMs = askedAt - at
  if (ageMs > wishes.maxAgeSec * 1000) return undefined
  const ageSec = Math.floor(ageMs / 1000)
  return { body: bytes, told: { etag, hit: true, status: `hit; ttl=${maxAgeSec - ageSec}`, ageSec, maxAgeSec } }
}

/** what is still there would have done for a caller with other wishes */
const reasonOf = ({ wishes }: Look, held: Kept | undefined) => (wishes.fresh || held ? 'request' : 'uri-miss')

export function createAnswers({ cacheSeconds, cursors, steady, far }: AnswersOptions): Answers {
  const shelf = createShelf(steady)
  const numberOf = numberOwners()
  const there = far && createFarSide(far, shelf)

  /** `asked`: where replicas have it in common; null: something later is there already */
  function keep(look: Look, bytes: Buffer, reason: string, asked?: Moment | null): Reply {
    const { askedAt, maxAgeSec, wishes } = look
    const etag = etagOf(bytes)
    const one = { bytes, etag, at: askedAt, ...(asked && { stamp: asked.stamp }) }
    const stored = wishes.keep && asked !== null && shelf.put(look, one) ? '; stored' : ''
    return { body: bytes, told: { etag, hit: false, status: `fwd=${reason}${stored}`, ageSec: 0, maxAgeSec } }
  }

  function lookHere(look: Look): Looked {
    const held = look.wishes.fresh ? undefined : shelf.get(look)
    const found = held && recall(look, held)
    if (found) return { found }
    const reason = reasonOf(look, held)
    return { keep: (bytes) => keep(look, bytes, reason), gone: () => shelf.drop(look) }
  }

  async function lookThere(look: Look, name: string, side: FarSide): Promise<Looked> {
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
    cursors: { ...cursors, seal: cursors.sealAlike },
    size: shelf.size,
    look(asked, wishes) {
      const { route, open } = asked
      const maxAgeSec = secondsFor(open.cacheSeconds, route.group) ?? secondsFor(cacheSeconds, route.group) ?? 0
      if (maxAgeSec === 0 || route.neverRemembered !== undefined) return undefined
      const name = nameOf(asked)
      const look = { name: `${numberOf(open.get)} ${name}`, askedAt: steady(), maxAgeSec, wishes }
      return there ? lookThere(look, `${open.identity} ${name}`, there) : lookHere(look)
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
