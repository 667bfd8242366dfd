// The framework as both doors use it: our own server under it, our own request ids, and nothing of it that answers by itself.
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Observe } from '../observe.ts'
import type { Problem } from '../problem.ts'
import { bodyOf, headersOf, jsonType, makeRequestId } from './refusal.ts'
import { createHttpServer, type HttpServer } from './server.ts'

export interface OpenDoor {
  readonly app: FastifyInstance
  /** nobody new is let in; resolves when every answer under way has left, or after `mostMs` */
  readonly drain: (mostMs: number) => Promise<void>
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
export function openApp(roomOf: (url: string) => string, observe: Observe): OpenDoor {
  let http: HttpServer | undefined
  const app = Fastify({
    ...options,
    rewriteUrl: (req: IncomingMessage) => roomOf(req.url ?? ''),
    serverFactory: (listener) => (http = createHttpServer(listener, observe)).server,
  })
  // whoever takes content reads it by himself
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('seen')
  return { app, drain: async (mostMs) => http?.drain(mostMs) }
}

export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.seen.code = problem.code
  if (typeof problem.cause === 'string') request.seen.reason = problem.cause
  return reply.code(problem.row.status).headers(headersOf(problem)).type(jsonType).send(bodyOf(problem, request.id))
}
