// Answers one request: query, plan, platform documents, flat answer. No stage before the first `get` costs a call. A cached
// lookup costs none, and is repeated once if the read then finds nothing.
import { type Cursors, listDigest } from './cursor.ts'
import { readPage } from './page-reader.ts'
import {
  checkPlan,
  checkStep,
  type Plan,
  planReads,
  type Lookup,
  buildRead,
  lastId,
  type Step,
  withIds,
} from './plan.ts'
import { shape } from './shape.ts'
import { type Route, isList } from '../catalogue/define.ts'
import { readRouteQuery, type RouteQuery } from './request.ts'
import { followEnd, noTally, type PageEnd } from './page-end.ts'
import { type FoundIds, foundIdsMark, type LookupCache, lookupCacheKey } from './lookup-cache.ts'
import { nextPosition, noMark, type Position } from './position.ts'
import { Problem } from '../problems.ts'
import { isGone, runLookup } from './lookup.ts'
import { readNested, readPlace } from './nested.ts'
import { type Get, type PageReader, type PlatformDocument, TextDocument } from './port.ts'

export interface RouteRequest {
  readonly route: Route
  readonly connection: string
  readonly account: string
  readonly ids: Readonly<Record<string, string>>
  readonly query: string
}

interface Paging {
  readonly position: Position | undefined
  readonly seal: (next: Pick<Position, 'cursor' | 'found' | 'tally'>) => string
}

/** undefined for a route without pages; refuses the cursor of another list */
function openPaging(
  { route, connection, account, ids }: RouteRequest,
  query: RouteQuery,
  cursors: Cursors,
): Paging | undefined {
  if (!isList(route)) return undefined
  let digest: Buffer | undefined
  // `limit` and `fields` may change between pages; most lists have one page, and need no digest
  const list = () =>
    (digest ??= listDigest([connection, account, route.operation, ids, [...query.filters], query.sort ?? null]))
  const position = query.cursor === undefined ? undefined : cursors.open(list(), query.cursor)
  return { position, seal: (next) => cursors.seal(list(), nextPosition(position, next)) }
}

function sealNext({ position, seal }: Paging, end: PageEnd, origin: string, { target, found }: Read): string | null {
  const { cursor, tally } = followEnd(end, { origin, target, tally: position?.tally ?? noTally })
  return cursor === null ? null : seal({ cursor, found: foundIdsMark(found), tally })
}

interface ReadSources {
  readonly get: Get
  readonly origin: string
  readonly memory: LookupCache
  /** of the answer, whose path may need these ids */
  readonly readerWith: (found?: FoundIds) => PageReader | undefined
}

interface Read {
  readonly document: PlatformDocument
  readonly target: string
  readonly reader: PageReader | undefined
  readonly readId: string | undefined
  readonly found: FoundIds | undefined
}

async function readStep(step: Step, { get, origin, readerWith }: ReadSources, found?: FoundIds): Promise<Read> {
  const filled = found ? withIds(step, found) : step
  const read = buildRead(filled, origin)
  const reader = readerWith(found)
  const document = await get(reader ? { ...read, reader } : read, 'answer')
  return { document, target: read.target, reader, readId: lastId(filled), found }
}

async function lookUpAgain(lookup: Lookup, { get, origin, memory }: ReadSources): Promise<FoundIds> {
  memory.delete(lookupCacheKey(lookup))
  const found = await runLookup(lookup, origin, get)
  memory.set(lookupCacheKey(lookup), found)
  return found
}

const same = (a: FoundIds, b: FoundIds): boolean => Object.entries(a).every(([name, id]) => b[name] === id)

/** `begun`: from the second page on, the mark of the ids that the first page used */
const executePlan = ({ lookup, read }: Plan, sources: ReadSources, begun?: string): Promise<Read> =>
  lookup ? readAfterLookup({ lookup, read }, sources, begun) : readStep(read, sources)

async function readAfterLookup({ lookup, read }: Required<Plan>, sources: ReadSources, begun?: string): Promise<Read> {
  const isExpected = (found: FoundIds): boolean => begun === undefined || begun === foundIdsMark(found)
  const readWith = (found: FoundIds): Promise<Read> => {
    // a localization that was recreated under its locale is another list
    if (isExpected(found)) return readStep(read, sources, found)
    throw new Problem('cursor_mismatch', {
      message:
        'The localization with this locale is not the one that the walk began with. Start again without a cursor.',
      param: 'cursor',
    })
  }
  const cached = sources.memory.get(lookupCacheKey(lookup))
  // the cached ids may be the older ones: replicas cache separately
  if (!cached || !isExpected(cached)) {
    checkPlan({ lookup, read }, sources.origin)
    return readWith(await lookUpAgain(lookup, sources))
  }
  checkStep(read, sources.origin)
  try {
    return await readWith(cached)
  } catch (error) {
    if (!isGone(error)) throw error
    const found = await lookUpAgain(lookup, sources)
    if (same(cached, found)) throw error
    return readWith(found)
  }
}

interface Known {
  readonly cursors: Cursors
  readonly linkage: boolean
}

export interface PlannedRequest {
  readonly query: RouteQuery
  readonly paging: Paging | undefined
  readonly plan: Plan
}

export function planRequest(request: RouteRequest, { cursors, linkage }: Known): PlannedRequest {
  const { route, ids } = request
  const query = readRouteQuery(route, request.query)
  const paging = openPaging(request, query, cursors)
  const at = paging?.position?.cursor
  const cursor = at !== undefined && route.from.through ? readPlace(at).cursor : at
  return { query, paging, plan: planReads(route, { ids, query, linkage, cursor }) }
}

export interface AnswerContext<B> extends Omit<ReadSources, 'readerWith'> {
  readonly cursors: Cursors
  readonly linkage: boolean
  /** called with the JSON of the answer in pieces, before anything else waits for it */
  readonly write: (...pieces: readonly string[]) => B
}

export interface EngineAnswer<B> {
  readonly written: B
  readonly unknown: readonly string[]
  readonly duplicates: number
}

async function answerNested<B>(
  { route, ids }: RouteRequest,
  { query, paging, plan }: PlannedRequest,
  context: AnswerContext<B>,
): Promise<EngineAnswer<B>> {
  const { through } = route.from
  const { lookup: parents } = plan
  checkPlan(plan, context.origin)
  if (!through || !parents || !paging) throw new Error(`${route.operation} has no lists below a list`)
  const nested = { route, ids, query, linkage: context.linkage, gives: through.gives, parents }
  const { body, next, unknown, duplicates } = await readNested(nested, paging.position, context)
  if (next) body.nextCursor = paging.seal({ ...next, found: noMark })
  return { written: context.write(JSON.stringify(body)), unknown, duplicates }
}

/** Not part of an async function, whose variables would outlive it as the promises that waited do. */
function writeAnswer<B>(
  { route, ids }: RouteRequest,
  { query, paging }: PlannedRequest,
  read: Read,
  { origin, write }: AnswerContext<B>,
): EngineAnswer<B> {
  const document = read.document.take()
  if (paging && document instanceof TextDocument && document.reader === read.reader) {
    const { items, end } = document.page
    const nextCursor = JSON.stringify(sealNext(paging, end, origin, read))
    const written = write('{"items":[', ...items, `],"nextCursor":${nextCursor}}`)
    return { written, unknown: [], duplicates: 0 }
  }
  const { body, end, unknown, duplicates } = shape(route, document, {
    ...query,
    ids: read.found ? { ...ids, ...read.found } : ids,
    readId: read.readId,
    after: paging?.position?.cursor,
  })
  if (paging && end) body['nextCursor'] = sealNext(paging, end, origin, read)
  return { written: write(JSON.stringify(body)), unknown, duplicates }
}

export async function answer<B>(request: RouteRequest, context: AnswerContext<B>): Promise<EngineAnswer<B>> {
  const planned = planRequest(request, context)
  const { query, paging, plan } = planned
  const { route, ids } = request
  if (route.from.through) return answerNested(request, planned, context)
  const readerWith = (found?: FoundIds): PageReader | undefined =>
    route.shape === 'page'
      ? (text, parse) => readPage(text, parse, route, { ...query, ids: { ...ids, ...found } })
      : undefined
  const read = await executePlan(plan, { ...context, readerWith }, paging?.position?.found)
  return writeAnswer(request, planned, read, context)
}
