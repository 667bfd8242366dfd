// The way of a request, in the order of refusals: framing, path, method, credential, rate, scope, CSRF, body and query,
// Idempotency-Key, and then the route itself.
import type { IncomingMessage } from 'node:http'
import { checkFraming, hasContent } from '../../../base/web/request-checks.ts'
import type { OpenPage } from '../../../base/web/page-text.ts'
import { createHttpServer, type HttpServer, type ServerOptions } from '../../../base/web/server.ts'
import { wantsWebSocket } from '../../../base/web/upgrades.ts'
import type { Proxies } from '../../../base/web/address.ts'
import { problemOf } from '../../../base/web/failure.ts'
import { asSent } from '../../../base/web/reply.ts'
import { createPathMap, methodsOf, rowFor, splitTarget } from '../../../base/web/target.ts'
import type { KeyHolders } from '../accounts/key-holders.ts'
import type { Observe } from '../events.ts'
import { makeId } from '../ids.ts'
import { Problem, refuse } from '../problems.ts'
import { toProblem } from '../engine/problems.ts'
import type { Authenticate, Authenticated } from './authenticate.ts'
import { limitChunks } from './chunk-limit.ts'
import { ApiExchange } from './exchange.ts'
import type { HeldBytes } from './held-bytes.ts'
import { type Idempotency, idempotencyKeyOf } from './idempotency.ts'
import { readQuery } from './query.ts'
import { checkMediaType, readJsonBody, refuseBody } from './request-body.ts'
import { type Answer, answered, type Route, type RouteRequest } from './route.ts'

const usualBytes = 1024 * 1024
const connectionsPerAddress = 1_000

/** in the log and in metrics, of every page of the console and its files */
export const pageOperation = 'showConsole'

export interface ApiParts<Service> {
  readonly routes: readonly Route<Service>[]
  /** pages that need no credential, and are no routes */
  readonly pageAt?: (path: string, req: IncomingMessage) => OpenPage | undefined
  readonly service: Service
  readonly authenticate: Authenticate
  readonly idempotency: Idempotency
  readonly keyHolders: KeyHolders
  readonly unsent: HeldBytes
  /** of all requests of a key, and of its creations */
  readonly rate: (key: string) => void
  readonly creationRate: (key: string) => void
  readonly proxies: Proxies
  readonly observe: Observe
  readonly isStopping: () => boolean
  /** aborts what is under way */
  readonly stopping: AbortSignal
}

/** Aborts when the key or the session ends, or the service stops. */
function watchCaller<Service>(
  exchange: ApiExchange,
  { keyId, session, token }: Authenticated,
  { keyHolders, stopping }: ApiParts<Service>,
): AbortController {
  const gone = new AbortController()
  const held = keyId ?? (token === undefined ? undefined : session?.id)
  const release = held === undefined ? () => {} : keyHolders.hold(held, () => gone.abort(new Problem('unauthorized')))
  const stop = () => gone.abort(new Problem('shutting_down'))
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  exchange.res.once('close', () => {
    release()
    stopping.removeEventListener('abort', stop)
  })
  return gone
}

/** a body may take minutes, and its key may end meanwhile */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((ok, no) => {
    const stop = () => no(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    work.then(ok, no).finally(() => signal.removeEventListener('abort', stop))
  })
}

async function readBody<Service>(
  exchange: ApiExchange,
  route: Route<Service>,
  service: Service,
  signal: AbortSignal,
): Promise<unknown> {
  const { req } = exchange
  const { body, streamedBody } = route
  // a caller who leaves in the middle of the body has ended their half of the connection alone
  if (hasContent(req)) exchange.onLeave(() => req.destroy())
  if (body) return readJsonBody(exchange, body.schema, body.mostBytes ?? usualBytes)
  if (!streamedBody) return refuseBody(req)
  checkMediaType(req, streamedBody.mediaTypes)
  return route.readBody?.(exchange, service, signal)
}

/** Counts the answer to a read until it is sent. Other answers are small, and report changes that are already made. */
function holdAnswer(exchange: ApiExchange, answer: string | Buffer, unsent: HeldBytes) {
  if (!exchange.isReading) return
  const holding = unsent.hold(exchange.record.accountId ?? '')
  if (!holding.add(Buffer.byteLength(answer))) throw new Problem('no_capacity')
  exchange.onClose(holding.free)
}

function sendAnswer(
  exchange: ApiExchange,
  { status, body, location }: Answer,
  { isReplayed, unsent }: { readonly isReplayed: boolean; readonly unsent: HeldBytes },
) {
  const answer = body ? asSent(JSON.stringify(body)) : ''
  holdAnswer(exchange, answer, unsent)
  if (location !== undefined) exchange.fields.push('location', location)
  if (isReplayed) exchange.fields.push('idempotency-replayed', 'true')
  if (body && 'id' in body) nameTarget(exchange, body.id)
  exchange.send(status, answer)
}

const idForm = /^(?:ct|img|ssh|key)_[0-9a-z]{26}$/

/** the object that a request is about, for the audit line; a route that knows better has named it */
function nameTarget({ record }: ApiExchange, id: unknown) {
  if (typeof id === 'string' && idForm.test(id)) record.target ??= id
}

async function runRoute<Service>(
  exchange: ApiExchange,
  route: Route<Service>,
  request: RouteRequest,
  parts: ApiParts<Service>,
) {
  const key = idempotencyKeyOf(exchange, route)
  if (key === undefined) {
    const answer = await route.run(request, parts.service)
    if (answer !== answered) sendAnswer(exchange, answer, { isReplayed: false, unsent: parts.unsent })
    return
  }
  const { caller, body: content, madeId } = request
  const place = { account: caller.account, route: route.operationId, key, content }
  const { answer, isReplayed } = await parts.idempotency(place, {
    id: madeId,
    async make() {
      const made = await route.run(request, parts.service)
      if (made === answered) throw new Error('an idempotent route answers by a value')
      return made
    },
    recall: async (id) => route.recall?.({ caller, madeId: id }, parts.service),
  })
  sendAnswer(exchange, answer, { isReplayed, unsent: parts.unsent })
}

/** all sessions of an account that use the routes for keys have the rate of one key */
function checkRate<Service>(
  { keyId, account, token }: Authenticated,
  { isCreation, isUpgrade }: Route<Service>,
  { rate, creationRate }: ApiParts<Service>,
) {
  const counted = keyId ?? (token !== undefined || isUpgrade || isCreation ? account : undefined)
  if (counted === undefined) return
  rate(counted)
  if (isCreation) creationRate(counted)
}

async function sendPage(exchange: ApiExchange, page: OpenPage) {
  const { req, record, isReading } = exchange
  record.operation = pageOperation
  if (!isReading) throw refuse('method_not_allowed', { allowed: ['GET', 'HEAD'] })
  exchange.fields.push('cross-origin-resource-policy', 'same-origin')
  exchange.sendPage(page, await page.text.as(req.headers['accept-encoding']))
}

function findRoute<Service>(rows: readonly Route<Service>[], method: string, isWithoutQuery: boolean): Route<Service> {
  const route = rowFor(rows, method)
  if (!route) throw refuse('method_not_allowed', { allowed: methodsOf(rows) })
  if (!isWithoutQuery || !route.isOnlyWithQuery) return route
  const allowed = methodsOf(rows.filter(({ isOnlyWithQuery }) => !isOnlyWithQuery))
  const wanted = Object.entries(route.query ?? {}).flatMap(([name, { required }]) => (required ? [`\`${name}\``] : []))
  const message = `${method} needs the query parameters of this path: ${wanted.join(', ')}.`
  throw refuse('method_not_allowed', { allowed }, { message })
}

async function serve<Service>(
  exchange: ApiExchange,
  find: ReturnType<typeof createPathMap<Route<Service>>>,
  parts: ApiParts<Service>,
) {
  const { req, target, path, record, query: rawQuery } = exchange
  checkFraming(req, target, true)
  const page = parts.pageAt?.(path, req)
  if (page) return sendPage(exchange, page)
  const found = find(path)
  // an empty id is another path
  if (!found || found.ids['id'] === '') throw new Problem('not_found')
  const route = findRoute(found.rows, exchange.method, rawQuery === '')
  record.operation = route.operationId
  if (parts.isStopping() && route.credential !== 'none') throw new Problem('shutting_down')
  const { authenticate } = parts
  const caller = await authenticate.caller(exchange, route)
  if (caller.account !== '') record.accountId = caller.account
  if (caller.keyId !== undefined) record.keyId = caller.keyId
  checkRate(caller, route, parts)
  authenticate.checkScope(caller, route.scope)
  authenticate.checkCsrf(exchange, caller, route)
  if (req.headers.expect !== undefined && hasContent(req)) exchange.res.writeContinue()
  const gone = watchCaller(exchange, caller, parts)
  const { signal } = gone
  const reading = readBody(exchange, route, parts.service, signal)
  const body = await (route.body || route.readBody ? untilAborted(signal, reading) : reading)
  const query = route.hasForeignQuery ? {} : readQuery(route.query ?? {}, rawQuery)
  exchange.onLeave(() => gone.abort(new Problem('shutting_down', { cause: 'the caller left' })))
  const pathId = found.ids['id'] ?? ''
  nameTarget(exchange, 'id' in query ? query.id : pathId)
  const madeId = route.makes === undefined ? '' : makeId(route.makes)
  await runRoute(exchange, route, { id: exchange.id, caller, query, body, pathId, madeId, exchange, signal }, parts)
}

export function createApiServer<Service>(parts: ApiParts<Service>): HttpServer {
  const find = createPathMap(parts.routes)
  const upgradePaths = new Set(parts.routes.filter(({ isUpgrade }) => isUpgrade).map(({ path }) => path))
  const options: ServerOptions = {
    proxies: parts.proxies,
    connectionsPerAddress,
    requestTimeoutMs: 0,
    upgrades: (req) => wantsWebSocket(req) && upgradePaths.has(splitTarget(req.url ?? '').path),
  }
  return createHttpServer(
    (req, res) => {
      if (hasContent(req)) limitChunks(req)
      const exchange = new ApiExchange(req, res, parts)
      serve(exchange, find, parts).catch((error: unknown) => {
        if (res.headersSent) res.destroy()
        else exchange.refuse(problemOf(toProblem(error), exchange.id, parts.observe))
      })
    },
    options,
    parts.observe,
  )
}
