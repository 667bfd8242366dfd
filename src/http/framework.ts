// The framework as both doors use it: our own server under it, our own request ids, and nothing of it that answers by itself.
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import { bodyOf, headersOf, jsonType, makeRequestId } from './refusal.ts'
import { type Bounds, createHttpServer, type HttpServer } from './server.ts'

export interface OpenDoor {
  readonly app: FastifyInstance
  /** nobody new is let in; resolves when every answer under way has left, or after `mostMs` */
  readonly drain: (mostMs: number) => Promise<void>
}

export type { Bounds } from './server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the caller's address; the framework's own `ip` believes any text in a header */
    from: string
  }
}

const options = {
  genReqId: makeRequestId,
  requestIdHeader: false,
  logger: false,
  forceCloseConnections: 'idle',
  return503OnClosing: false,
  // ours is on the server; the framework's would answer beside it, before requests under way
  clientErrorHandler: () => {},
} as const

/** `roomOf`: from the caller's target to one of our own paths, which is all that the framework's router sees */
export function openApp(roomOf: (url: string) => string, bounds: Bounds, observe: Observe): OpenDoor {
  let http: HttpServer | undefined
  const app = Fastify({
    ...options,
    rewriteUrl: (req: IncomingMessage) => roomOf(req.url ?? ''),
    serverFactory: (listener) => (http = createHttpServer(listener, bounds, observe)).server,
  })
  // whoever takes content reads it by himself
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('seen')
  app.decorateRequest('from', '')
  app.addHook('onRequest', (request, _, done) => {
    request.from = bounds.proxies.callerOf(request.raw)
    done()
  })
  return { app, drain: async (mostMs) => http?.drain(mostMs) }
}

/** a defect of ours; the words of an error may hold what was sent, so only its place is told */
export function tellFailure(error: unknown, requestId: string, observe: Observe): Problem {
  const { name, stack = '' } = error instanceof Error ? error : new Error('not an error')
  const at = stack.search(/^ +at /m)
  observe({ kind: 'failed', requestId, reason: name, ...(at >= 0 && { stack: `${name}\n${stack.slice(at)}` }) })
  return new Problem('internal_error')
}

export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.seen.code = problem.code
  if (typeof problem.cause === 'string') request.seen.reason = problem.cause
  return reply.code(problem.row.status).headers(headersOf(problem)).type(jsonType).send(bodyOf(problem, request.id))
}
