// The handler of every route: from an authorized request to a reply, cached or made under one deadline.
import { type AbortGroup, LightAbort } from '../../../base/core/abort.ts'
import { Holder } from '../../../base/core/holder.ts'
import { isList } from '../catalogue/define.ts'
import { answer, planRequest, type RouteRequest } from '../engine/answer.ts'
import type { Cursors } from '../engine/cursor.ts'
import type { LookupCaches } from '../engine/lookup-cache.ts'
import { requireOwned } from '../engine/ownership.ts'
import type { Get } from '../engine/port.ts'
import type { BoundGet, Cost, ReadContext, Watch } from '../platform/port.ts'
import type { Observe } from '../events.ts'
import { Problem } from '../problems.ts'
import { cutToApps, isListOfApps } from './app-scope.ts'
import type { Answers, createListingMemories } from './caches.ts'
import type { Connection } from '../connections/connection.ts'
import type { Match } from '../engine/request.ts'
import type { Wishes } from '../../../base/web/conditional.ts'
import { asSent, type Reply, toBytes } from '../../../base/web/reply.ts'
import { SingleFlight } from '../platform/single-flight.ts'

/** by connection, while its credential stays the same */
export type SharedReads = (open: { readonly id: string; readonly get: BoundGet }) => SingleFlight

export function createSharedReads(steady: () => number, observe: Observe): SharedReads {
  const flights = new WeakMap<BoundGet, SingleFlight>()
  return ({ id, get }) => {
    const found = flights.get(get)
    if (found) return found
    const made = new SingleFlight(steady, () => observe({ kind: 'shared', connection: id }))
    flights.set(get, made)
    return made
  }
}

export interface Reading {
  readonly cursors: Cursors
  readonly lookups: LookupCaches
  readonly listings: ReturnType<typeof createListingMemories>
  readonly sharedReads: SharedReads
  readonly answers: Answers
  readonly origin: string
  readonly timeoutMs: number
  readonly giveUp: Pick<AbortGroup, 'follow' | 'unfollow'>
  readonly steady: () => number
  readonly observe: Observe
}

export interface Waiting {
  readonly who: string
  readonly wishes: Wishes
  readonly cost: Cost
  readonly trace?: ReadContext['trace']
  readonly budget?: ReadContext['budget']
  /** ids of the apps that the key is for; absent: all */
  readonly apps?: readonly string[] | undefined
  /** called around each platform read; absent: not watched */
  readonly watch?: Watch
  onLeave(leave: () => void): void
}

/** later pages of a list wait behind first pages */
const isPatient = (query: string): boolean => query !== '' && /(^|&)cursor=/.test(query)

/** a deadline noticed this late means that this process was blocked */
const heldUpMs = 500

/** one deadline for a request; aborts also when the caller leaves or the service stops */
async function withinTime<T>(
  { timeoutMs, giveUp, steady }: Reading,
  waiting: Waiting,
  act: (time: Pick<ReadContext, 'signal' | 'endsAt'>) => Promise<T>,
): Promise<T> {
  const patience = new LightAbort()
  const endsAt = steady() + timeoutMs
  const overdue = () => {
    // after a blocked process, the timeout says nothing about the platform
    const name = steady() - endsAt > heldUpMs ? 'HeldUpError' : 'TimeoutError'
    patience.abort(new DOMException('deadline', name))
  }
  const deadline = setTimeout(overdue, timeoutMs)
  const leave = () => patience.abort(new DOMException('every caller has left', 'AbortError'))
  waiting.onLeave(leave)
  giveUp.follow(patience)
  try {
    return await act({ signal: patience, endsAt })
  } finally {
    clearTimeout(deadline)
    giveUp.unfollow(patience)
  }
}

type Asked = Match & { readonly open: Connection; readonly query: string }

interface Making<B> {
  readonly write: (...pieces: readonly string[]) => B
  readonly watch: Watch | undefined
}

const getIn =
  (context: ReadContext, { get }: Connection, watch: Watch | undefined): Get =>
  (wanted, purpose) => {
    if (context.signal.aborted) throw new Problem('upstream_timeout', { cause: 'deadline between two calls' })
    return watch ? watch(wanted, purpose, () => get(wanted, context)) : get(wanted, context)
  }

/** member by member: to copy an object takes ten times as long */
const requestOf = ({ open, route, connection, ids, query }: Asked): RouteRequest => ({
  route,
  connection,
  account: open.account,
  ids,
  query,
})

async function make<B>(asked: Asked, reading: Reading, context: ReadContext, { write, watch }: Making<B>) {
  const { cursors, lookups, origin, observe } = reading
  const { open, route } = asked
  const { written, unknown, duplicates } = await answer(requestOf(asked), {
    get: getIn(context, open, watch),
    cursors,
    origin,
    linkage: open.linkage,
    memory: lookups.of(open.get, context.fresh),
    write: (...pieces) => new Holder(write(...pieces)),
  })
  const { type } = route
  if (unknown.length > 0) observe({ kind: 'drift', connection: open.id, type, members: unknown })
  if (duplicates > 0) observe({ kind: 'duplicate', type, count: duplicates })
  return written
}

/** equal for requests whose answers have the same bytes, within one connection */
const nameOf = ({ open, route, ids, query }: Asked): string =>
  `${route.operation} ${route.complete ? 'reduced' : 'whole'} ${open.linkage} ${JSON.stringify(ids)} ${query}`

function readNow<B>(asked: Asked, reading: Reading, waiting: Waiting, write: Making<B>['write']): Promise<Holder<B>> {
  const { who, wishes, cost, trace, budget, watch } = waiting
  const { fresh } = wishes
  const making = { write, watch }
  return withinTime(reading, waiting, (time) => {
    const context: ReadContext = { ...time, who, patient: isPatient(asked.query), fresh, cost, trace, budget }
    // Equal requests under way share the bytes of one answer. Of one resource they share the platform's: to write it takes less.
    return fresh || !isList(asked.route)
      ? make(asked, reading, context, making)
      : reading.sharedReads(asked.open).join(nameOf(asked), context, (all) => make(asked, reading, all, making))
  })
}

/** refusals that remove a cached answer; temporary failures do not */
const goneStatuses: ReadonlySet<number> = new Set([403, 404, 409])

/** what is wrong with the query comes first, and costs no call */
function checkQuery(asked: Asked, { cursors }: Reading) {
  planRequest(requestOf(asked), { cursors, linkage: asked.open.linkage })
}

/** resolves to the milliseconds that it took */
async function prove(asked: Asked, apps: readonly string[], reading: Reading, waiting: Waiting): Promise<number> {
  const { open, route, ids } = asked
  const { origin, listings, steady } = reading
  const { who, wishes, cost, trace, budget, watch } = waiting
  const startedAt = steady()
  await withinTime(reading, waiting, (time) => {
    const context: ReadContext = { ...time, who, patient: false, fresh: wishes.fresh, cost, trace, budget }
    const get = getIn(context, open, watch)
    return requireOwned({ route, ids, apps }, { get, origin, listings: listings.of(open.get, wishes.fresh) })
  })
  return steady() - startedAt
}

const emptyPage = (): Reply => ({ take: () => JSON.stringify({ items: [], nextCursor: null }) })

/** `apps`: of a key for some apps */
export async function read(asked: Asked, reading: Reading, waiting: Waiting): Promise<Reply> {
  const { apps } = waiting
  if (!apps) return readOrRecall(asked, reading, waiting)
  if (isListOfApps(asked.route)) {
    const query = cutToApps(asked.route, asked.query, apps)
    if (query !== undefined) return readOrRecall({ ...asked, query }, reading, waiting)
    checkQuery(asked, reading)
    return emptyPage()
  }
  checkQuery(asked, reading)
  const tookMs = await prove(asked, apps, reading, waiting)
  return readOrRecall(asked, { ...reading, timeoutMs: Math.max(1, reading.timeoutMs - tookMs) }, waiting)
}

async function readOrRecall(asked: Asked, reading: Reading, waiting: Waiting): Promise<Reply> {
  const { answers } = reading
  const looking = answers.look(asked, waiting.wishes)
  const looked = looking instanceof Promise ? await looking : looking
  if (looked?.found) return looked.found
  try {
    if (!looked) return await readNow(asked, reading, waiting, asSent)
    const bytes = await readNow(asked, { ...reading, cursors: answers.cursors }, waiting, toBytes)
    return await looked.keep(bytes.take())
  } catch (error) {
    if (error instanceof Problem && goneStatuses.has(error.row.status)) await looked?.gone()
    throw error
  }
}
