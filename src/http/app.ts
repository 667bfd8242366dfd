// The public door: GET and HEAD, and literally nothing that writes. Joins framing, caller, reads and pages.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import { admit, type Admitted, type Doorkeeper } from './caller.ts'
import { openApp, type OpenDoor, sendProblem } from './framework.ts'
import { checkFraming, hasContent } from './framing.ts'
import { addPages, openPaths, type Pages } from './pages.ts'
import { splitTarget } from './paths.ts'
import { read, type Reading } from './reads.ts'
import { jsonType, standingHeaders } from './refusal.ts'
import { beginSeen, onLeave } from './seen.ts'
import { createWhoami, type Whoami } from './whoami.ts'

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
    operation: (name) => (seen.operation = name),
    connection: (id) => (seen.connection = id),
    allowance: ({ limit, remaining, resetSec, windowSec }) => {
      void reply.header('ratelimit-policy', `"key";q=${limit};w=${windowSec}`)
      void reply.header('ratelimit', `"key";r=${remaining};t=${resetSec}`)
    },
  })
}

async function answerQuestion(request: FastifyRequest, reply: FastifyReply, door: PublicDoor, whoami: Whoami) {
  const { admitted, seen } = request
  if (!admitted) throw new Problem('route_not_found')
  const { query } = splitTarget(request.originalUrl)
  if (!admitted.asked) return reply.type(jsonType).send(await whoami(admitted.key, query))
  const body = await read({ ...admitted.asked, query }, door, {
    onLeave: (leave) => onLeave(request, reply, leave),
    onPlatformCall: () => seen.platformCalls++,
  })
  return reply.type(jsonType).send(body)
}

export function createPublicDoor(door: PublicDoor): OpenDoor {
  const { observe, now } = door
  // content is never read: what announces some is refused or, on other methods, cut off with the answer
  const open = openApp(roomOf, observe)
  const { app } = open
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
  const whoami = createWhoami(door.connections)
  app.get(behindKey, (request, reply) => answerQuestion(request, reply, door, whoami))
  addPages(app, door)
  return open
}
