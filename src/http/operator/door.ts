// The operator's door: management over HTTP, on a listener of its own. Joins framing, entry, body, operations and pages.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperatorTokens } from '../../keys/operator-token.ts'
import type { Observe } from '../../observe.ts'
import { Problem } from '../../problem.ts'
import { Exchange } from '../exchange.ts'
import { type Bounds, headersFor, openApp, type OpenDoor, sendProblem } from '../framework.ts'
import { checkFraming, hasContent } from '../framing.ts'
import { addPages, isErrorPath, type Pages } from '../pages.ts'
import { jsonType } from '../refusal.ts'
import { type Body, breakOff, readBody } from '../body.ts'
import { checkBody } from './check.ts'
import { inOurWords, keepDenial, problemOf } from './denials.ts'
import { admit, asTarget, beginEntry, type Entry, type Knock } from './entry.ts'
import { createLockOut } from '../lock-out.ts'
import { base, type Operation, type Parts } from './operation.ts'
import { readQuery } from './query.ts'

export interface OperatorDoor extends Parts, Pages, Bounds {
  readonly tokens: Pick<OperatorTokens, 'recognise'>
  /** whether callers should look for another server */
  readonly stopping: () => boolean
  readonly observe: Observe
}

declare module 'fastify' {
  interface FastifyRequest {
    /** set for requests behind the operator's token */
    entry: Entry | undefined
  }
}

const behindToken = base
/** the version is that of the format of metrics */
const textType = 'text/plain; version=0.0.4; charset=utf-8'
/** path -> the page of the public door that answers there; the style sheet is that of the error pages */
const open: Readonly<Record<string, string>> = {
  [`${base}/openapi.json`]: '/openapi.json',
  ...Object.fromEntries(['/healthz', '/readyz', '/errors', '/errors.md', '/docs/docs.css'].map((path) => [path, path])),
}

/** as at the public door, the framework's router gets one of our own paths, and the caller's target stays as it came */
function roomOf({ path }: Exchange): string {
  if (Object.hasOwn(open, path)) return open[path] ?? behindToken
  return isErrorPath(path) ? path : behindToken
}

const knockOf = ({ method, path, from, req }: Exchange): Knock => ({
  ...{ method, path, authorization: req.headers.authorization, from },
})

/** an id of no possible form is not there, and is not looked for */
function requireId({ subject, path }: Operation, { target }: Entry) {
  if (subject === undefined || target !== null || !path.includes('{id}')) return
  throw new Problem(subject === 'key' ? 'key_unknown' : 'connection_unknown')
}

async function readContent({ body: schema }: Operation, { raw }: FastifyRequest): Promise<Body> {
  if (schema) return readBody(raw, schema.required.length === 0)
  if (hasContent(raw)) throw new Problem('content_not_allowed')
  return {}
}

async function act(request: FastifyRequest, reply: FastifyReply, door: OperatorDoor) {
  const { entry, exchange } = request
  const operation = entry?.operation
  if (!entry || !operation) throw new Problem('route_not_found')
  requireId(operation, entry)
  const query = readQuery(operation.query ?? {}, exchange.query)
  const body = await readContent(operation, request)
  // read whole: the next request on the socket begins where it should
  if (!door.stopping()) reply.removeHeader('connection')
  entry.target ??= asTarget(operation, body['id'])
  if (operation.body) checkBody(operation.body, body)
  const { id, who, from } = entry
  const answer = await operation.run({ id, query, body, actor: { who, from, requestId: exchange.id } }, door)
  if (operation.subject === 'connection' && entry.target !== null) exchange.seen.connection = entry.target
  const isText = typeof answer === 'string'
  return reply
    .code(operation.status)
    .type(isText ? textType : jsonType)
    .send(isText ? answer : JSON.stringify(answer))
}

export function createOperatorDoor(door: OperatorDoor): OpenDoor {
  const { observe, now, tokens, audit } = door
  const lockOut = createLockOut({ now })
  const enter = (req: IncomingMessage, res: ServerResponse) => {
    const exchange = new Exchange(req, res, door.proxies.callerOf(req), observe)
    return { exchange, room: roomOf(exchange) }
  }
  const opened = openApp(enter, door, observe)
  const { app } = opened
  app.server.on('clientError', (error, socket) => breakOff(socket, error))
  app.decorateRequest('entry')

  app.addHook('onRequest', async (request, reply) => {
    const { exchange } = request
    const page = request.url === behindToken ? undefined : request.routeOptions.url
    exchange.begin(page)
    exchange.closes = hasContent(request.raw) || door.stopping()
    reply.headers(headersFor(exchange))
    checkFraming(request.raw, exchange.target)
    if (request.url === behindToken) {
      const knock = knockOf(exchange)
      request.entry = beginEntry(knock)
      admit(request.entry, knock, tokens, lockOut)
      exchange.seen.operation = request.entry.operation?.operationId ?? 'unknown'
    } else if (!exchange.isReading) throw new Problem('method_not_allowed')
  })
  app.setErrorHandler(async (error, request, reply) => {
    const { entry, exchange } = request
    const problem = problemOf(error, exchange.id, observe)
    const kept = entry ? await keepDenial(problem, entry, exchange.id, { audit, lockOut, now }) : problem
    return sendProblem(inOurWords(kept), exchange, reply)
  })
  app.all(behindToken, (request, reply) => act(request, reply, door))
  addPages(app, door)
  return opened
}
