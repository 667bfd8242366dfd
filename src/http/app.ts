// The public door: GET and HEAD, and literally nothing that writes. Joins framing, caller, reads and pages.
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import { admit, type Admitted, type Doorkeeper } from './caller.ts'
import { checkFraming, hasContent } from './framing.ts'
import { addPages, openPaths, type Pages } from './pages.ts'
import { splitTarget } from './paths.ts'
import { read, type Reading } from './reads.ts'
import { bodyOf, headersOf, jsonType, makeRequestId, standingHeaders } from './refusal.ts'
import { beginSeen, onLeave } from './seen.ts'
import { createHttpServer, type HttpServer } from './server.ts'

export interface PublicDoor extends Doorkeeper, Reading, Pages {
  /** whether callers should look for another server */
  readonly stopping: () => boolean
  readonly now: () => number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** set for requests behind the key, before any content would be looked at */
    admitted: Admitted | undefined
  }
}

const behindKey = '/v1'
const open = new Set(openPaths)

/**
 * The framework's router decodes what it is given, twice in corners, and answers a broken escape before anyone has
 * looked at the key. So it is given one of our own paths, and the caller's target stays as it came.
 */
function roomOf(url: string): string {
  const { path } = splitTarget(url)
  return open.has(path) || /^\/errors\/[\w-]+$/.test(path) ? path : behindKey
}

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.seen.code = problem.code
  if (typeof problem.cause === 'string') request.seen.reason = problem.cause
  return reply.code(problem.row.status).headers(headersOf(problem)).type(jsonType).send(bodyOf(problem, request.id))
}

function problemOf(error: unknown, requestId: string, observe: Observe): Problem {
  if (error instanceof Problem) return error
  const { statusCode } = error as { statusCode?: number }
  // the framework's own refusals, such as a method it has never heard of
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Problem('malformed_request')
  const { name, stack } = error instanceof Error ? error : new Error('not an error')
  observe({ kind: 'failed', requestId, reason: name, ...(stack !== undefined && { stack }) })
  return new Problem('internal_error')
}

/** Admits the caller before the framework looks at content: an outsider gets one answer, whatever he sends along. */
async function admitCaller(request: FastifyRequest, reply: FastifyReply, door: PublicDoor) {
  const { seen, method, headers } = request
  const { path } = splitTarget(request.originalUrl)
  request.admitted = await admit({ authorization: headers.authorization, method, path }, door, {
    key: ({ id }) => (seen.keyId = id),
    match: ({ route }) => (seen.operation = route.operation),
    connection: (id) => (seen.connection = id),
    allowance: ({ limit, remaining, resetSec, windowSec }) => {
      void reply.header('ratelimit-policy', `"key";q=${limit};w=${windowSec}`)
      void reply.header('ratelimit', `"key";r=${remaining};t=${resetSec}`)
    },
  })
}

async function answerQuestion(request: FastifyRequest, reply: FastifyReply, door: PublicDoor) {
  const { admitted, seen } = request
  if (!admitted) throw new Problem('route_not_found')
  const { query } = splitTarget(request.originalUrl)
  const body = await read({ ...admitted, query }, door, {
    onLeave: (leave) => onLeave(request, reply, leave),
    onPlatformCall: () => seen.platformCalls++,
  })
  return reply.type(jsonType).send(body)
}

const options = {
  rewriteUrl: (req: IncomingMessage) => roomOf(req.url ?? ''),
  genReqId: makeRequestId,
  requestIdHeader: false,
  logger: false,
  forceCloseConnections: 'idle',
  return503OnClosing: false,
  // ours is on the server; the framework's would answer beside it, before requests under way
  clientErrorHandler: () => {},
} as const

export interface OpenDoor {
  readonly app: FastifyInstance
  /** nobody new is let in; resolves when every answer under way has left, or after `mostMs` */
  readonly drain: (mostMs: number) => Promise<void>
}

export function createPublicDoor(door: PublicDoor): OpenDoor {
  const { observe, now } = door
  let http: HttpServer | undefined
  const app = Fastify({ ...options, serverFactory: (listener) => (http = createHttpServer(listener, observe)).server })
  // content is never read: what announces some is refused or, on other methods, cut off with the answer
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('seen')
  app.decorateRequest('admitted')

  app.addHook('onRequest', async (request, reply) => {
    const page = request.url === behindKey ? undefined : request.routeOptions.url
    beginSeen(request, reply, page ?? 'unknown', observe, now)
    reply.headers({ 'x-request-id': request.id, ...standingHeaders })
    if (hasContent(request.raw) || door.stopping()) reply.header('connection', 'close')
    checkFraming(request.raw, request.originalUrl)
    if (request.url === behindKey) return admitCaller(request, reply, door)
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new Problem('method_not_allowed')
    return undefined
  })
  app.setErrorHandler((error, request, reply) => sendProblem(problemOf(error, request.id, observe), request, reply))
  app.get(behindKey, (request, reply) => answerQuestion(request, reply, door))
  addPages(app, door)
  return { app, drain: async (mostMs) => http?.drain(mostMs) }
}
