// The public door: GET and HEAD, and literally nothing that writes. Joins framing, caller, reads and pages.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Connection } from '../connections/connection.ts'
import type { Errand } from '../engine/port.ts'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import type { Trace, Traces } from '../traces.ts'
import { admit, type Admitted, type Doorkeeper } from './caller.ts'
import { readWishes } from './conditional.ts'
import { type Bounds, openApp, type OpenDoor, sendProblem, tellFailure } from './framework.ts'
import { checkFraming, hasContent } from './framing.ts'
import { addPages, openPaths, type Pages } from './pages.ts'
import { splitTarget } from './paths.ts'
import type { Places } from './places.ts'
import { read, type Reading } from './reads.ts'
import { jsonType, standingHeaders } from './refusal.ts'
import { sendReply } from './reply.ts'
import { beginSeen, onLeave } from './seen.ts'
import { tellStatus } from './status.ts'
import { createWhoami, type Whoami } from './whoami.ts'

export interface PublicDoor extends Doorkeeper, Reading, Pages, Bounds {
  readonly places: Places
  readonly traces: Traces
  /** whether callers should look for another server */
  readonly stopping: () => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** set for requests behind the key, before any content would be looked at */
    admitted: Admitted | undefined
    /** as soon as it is known that the caller may know of it */
    opened: Connection | undefined
    trace: Trace
  }
}

const behindKey = '/v1'
const openPages = new Set(openPaths)

/**
 * The framework's router decodes what it is given, twice in corners, and answers a broken escape before anyone has
 * looked at the key. So it is given one of our own paths, and the caller's target stays as it came.
 */
function roomOf(url: string): string {
  const { path } = splitTarget(url)
  return openPages.has(path) || /^\/errors\/[\w-]+$/.test(path) ? path : behindKey
}

function problemOf(error: unknown, requestId: string, observe: Observe): Problem {
  if (error instanceof Problem) return error
  const { statusCode } = error as { statusCode?: number }
  // the framework's own refusals, such as a method it has never heard of
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Problem('malformed_request')
  return tellFailure(error, requestId, observe)
}

/** Admits the caller before the framework looks at content: an outsider gets one answer, whatever he sends along. */
async function admitCaller(request: FastifyRequest, reply: FastifyReply, door: PublicDoor) {
  const { seen, method, headers, from } = request
  door.places.take(request)
  const { path } = splitTarget(request.originalUrl)
  request.admitted = await admit({ authorization: headers.authorization, from, method, path }, door, {
    key: ({ id }) => {
      seen.keyId = id
      door.places.own(request, id)
    },
    operation: (name) => (seen.operation = name),
    connection: (open) => {
      request.opened = open
      seen.connection = open.id
    },
    allowance: ({ limit, remaining, resetSec, windowSec }) => {
      void reply.header('ratelimit-policy', `"key";q=${limit};w=${windowSec}`)
      void reply.header('ratelimit', `"key";r=${remaining};t=${resetSec}`)
    },
  })
}

/** what the log and a trace will say of it; pages are in no trace */
function beginRecord(request: FastifyRequest, reply: FastifyReply, { traces, observe }: PublicDoor) {
  const page = request.url === behindKey ? undefined : request.routeOptions.url
  const trace = (request.trace = traces.begin(request.raw, page === undefined))
  const told: Observe = (event) => {
    trace.answered(event)
    observe(event)
  }
  beginSeen(request, reply, page ?? 'unknown', told)
  if (trace.id !== undefined) request.seen.traceId = trace.id
}

/** each platform call is a part of the trace of the request that it is made for */
function traceOf({ trace: { call }, seen: { operation, connection } }: FastifyRequest): Pick<Errand, 'trace'> {
  if (!call || connection === undefined) return {}
  return { trace: (attempt) => call({ operation, connection, attempt }) }
}

async function answerQuestion(request: FastifyRequest, reply: FastifyReply, door: PublicDoor, whoami: Whoami) {
  const { admitted, seen } = request
  if (!admitted) throw new Problem('route_not_found')
  const { query } = splitTarget(request.originalUrl)
  if (admitted.standing) return reply.type(jsonType).send(tellStatus(admitted.standing, query))
  if (!admitted.asked) return reply.type(jsonType).send(await whoami(admitted.key, query))
  const answer = await read({ ...admitted.asked, query }, door, {
    who: admitted.key.id,
    wishes: readWishes(request.headers['cache-control']),
    cost: seen.cost,
    ...traceOf(request),
    onLeave: (leave) => onLeave(request, reply, leave),
  })
  return sendReply(request, reply, answer)
}

/** what is left of the platform's hour, as it stands when the answer leaves */
function tellQuota({ opened }: FastifyRequest, reply: FastifyReply) {
  const hour = opened?.state().hour
  if (!hour) return
  void reply.header('x-upstream-ratelimit-limit', hour.limit)
  void reply.header('x-upstream-ratelimit-remaining', hour.remaining)
}

export function createPublicDoor(door: PublicDoor): OpenDoor {
  const { observe } = door
  // content is never read: what announces some is refused or, on other methods, cut off with the answer
  const open = openApp(roomOf, door, observe)
  const { app } = open
  app.decorateRequest('admitted')
  app.decorateRequest('opened')
  app.decorateRequest('trace')

  app.addHook('onRequest', async (request, reply) => {
    beginRecord(request, reply, door)
    reply.headers({ 'x-request-id': request.id, ...standingHeaders })
    if (hasContent(request.raw) || door.stopping()) reply.header('connection', 'close')
    checkFraming(request.raw, request.originalUrl)
    if (request.url === behindKey) return admitCaller(request, reply, door)
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new Problem('method_not_allowed')
    return undefined
  })
  app.addHook('onSend', (request, reply, _, done) => {
    door.places.free(request)
    if (door.stopping()) void reply.header('connection', 'close')
    tellQuota(request, reply)
    done()
  })
  app.setErrorHandler((error, request, reply) => sendProblem(problemOf(error, request.id, observe), request, reply))
  const whoami = createWhoami(door.connections)
  // the framework's own HEAD would give a 304 the length of nothing
  app.route({
    ...{ method: ['GET', 'HEAD'], url: behindKey, exposeHeadRoute: false },
    handler: (request, reply) => answerQuestion(request, reply, door, whoami),
  })
  addPages(app, door)
  return open
}
