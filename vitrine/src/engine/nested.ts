// Lists below the members of another list, read as one list. Parents are taken in the order of their ids, so that one which is
// added or removed during a walk changes nothing for the others.
import type { Route } from '../catalogue/define.ts'
import { nestedReads, pageSize } from '../catalogue/parameters.ts'
import { malformed } from '../problems.ts'
import type { PlanInput } from './asked.ts'
import { isGone, listParents } from './lookup.ts'
import { followEnd, noTally, type Tally } from './page-end.ts'
import { buildRead, type Lookup, planReads } from './plan.ts'
import type { Get } from './port.ts'
import type { Position } from './position.ts'
import { shape, type Shaped } from './shape.ts'

/** in the list of this parent, or behind it */
interface Place {
  readonly parent: string
  readonly cursor?: string
}

const writePlace = ({ parent, cursor }: Place): string =>
  cursor === undefined ? encodeURIComponent(parent) : `${encodeURIComponent(parent)} ${cursor}`

export function readPlace(text: string): Place {
  const [parent = '', ...cursor] = text.split(' ')
  return { parent: decodeURIComponent(parent), ...(cursor.length > 0 && { cursor: cursor.join(' ') }) }
}

const isDue = (id: string, place: Place | undefined): boolean =>
  place === undefined || (place.cursor === undefined ? id > place.parent : id >= place.parent)

interface Nested extends Omit<PlanInput, 'cursor' | 'limit'> {
  readonly route: Route
  readonly gives: string
  readonly parents: Lookup
}

interface Sources {
  readonly get: Get
  readonly origin: string
}

interface Followed {
  readonly shaped: Shaped
  readonly cursor: string | null
  readonly tally: Tally
}

async function readBelow(
  { route, gives, query, linkage, ...wishes }: Nested,
  { parent, cursor, tally, limit }: Place & { readonly tally: Tally; readonly limit: number },
  { get, origin }: Sources,
): Promise<Followed> {
  const ids = { ...wishes.ids, [gives]: parent }
  const read = buildRead(planReads(route, { ids, query, linkage, cursor, limit }).read, origin)
  const document = await get(read, 'answer')
  const shaped = shape(route, document.take(), { ...query, ids, limit })
  if (!shaped.end) throw malformed('a list below a list has no end')
  return { shaped, ...followEnd(shaped.end, { origin, target: read.target, tally }) }
}

type Next = Pick<Position, 'cursor' | 'tally'>

/** A page, and where the next one begins. It may be short, or empty, before the end: a page costs few calls. */
export async function readNested(nested: Nested, position: Position | undefined, sources: Sources) {
  const { parents, query, route } = nested
  const listed = () => listParents(parents, sources.origin, sources.get)
  const limit = query.limit ?? pageSize.standard
  const items: unknown[] = []
  const unknown = new Set<string>()
  let [ids, duplicates] = [await listed(), 0]
  let place = position && readPlace(position.cursor)
  let tally = position?.tally ?? noTally
  const ended = (next: Next | null) => {
    const body: { items: unknown[]; nextCursor: string | null } = { items, nextCursor: null }
    return { body, unknown: [...unknown], duplicates, next }
  }
  for (let reads = 0; ; reads++) {
    const parent = ids.find((id) => isDue(id, place))
    if (parent === undefined) return ended(null)
    const isFull = reads === nestedReads || items.length === limit
    if (place && isFull) return ended({ cursor: writePlace(place), tally })
    const cursor = place?.parent === parent ? place.cursor : undefined
    const from = { parent, tally: cursor === undefined ? noTally : tally, limit: limit - items.length }
    try {
      const found = await readBelow(nested, cursor === undefined ? from : { ...from, cursor }, sources)
      items.push(...(found.shaped.body['items'] as unknown[]))
      for (const name of found.shaped.unknown) unknown.add(name)
      duplicates += found.shaped.duplicates
      place = found.cursor === null ? { parent } : { parent, cursor: found.cursor }
      tally = found.tally
    } catch (error) {
      if (!isGone(error)) throw error
      ids = await listed()
      // removed since it was listed, or the list below it failed
      if (ids.includes(parent)) throw malformed(`${route.operation}: a listed parent has no list`)
      place = { parent }
    }
  }
}
