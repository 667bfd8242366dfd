// The framework as both doors use it: our own server under it, our own exchanges, and nothing of it that answers by itself.
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import type { Exchange } from './exchange.ts'
import { bodyOf, headersOf, jsonType, standingHeaders } from './refusal.ts'
import { type Bounds, createHttpServer, type HttpServer, type Patience } from './server.ts'

export interface OpenDoor {
  readonly app: FastifyInstance
  /** nobody new is let in; resolves when every answer under way has left, or their time is over */
  readonly drain: (how: Patience) => Promise<void>
}

export type { Bounds } from './server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

/** a request that the framework is given, and the path that its router is to see: one of our own, never the caller's */
export interface Given {
  readonly exchange: Exchange
  readonly room: string
}

/** nothing is declared to the framework, so what compiles declarations is never called, nor loaded: 40 ms, 12 MB */
const unused = () => () => {
  throw new Error('no route has a schema')
}

const options = {
  requestIdHeader: false,
  logger: false,
  forceCloseConnections: 'idle',
  return503OnClosing: false,
  schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
  // ours is on the server; the framework's would answer beside it, before requests under way
  clientErrorHandler: () => {},
} as const

/** `enter`: what the framework is given of a request; nothing where it is answered without it */
export function openApp(
  enter: (req: IncomingMessage, res: ServerResponse) => Given | undefined,
  bounds: Bounds,
  observe: Observe,
): OpenDoor {
  let http: HttpServer | undefined
  const given = new WeakMap<IncomingMessage, Given>()
  const app = Fastify({
    ...options,
    rewriteUrl: (req: IncomingMessage) => given.get(req)?.room ?? '',
    serverFactory(listener) {
      const listen = (req: IncomingMessage, res: ServerResponse) => {
        const entered = enter(req, res)
        if (!entered) return
        given.set(req, entered)
        listener(req, res)
      }
      return (http = createHttpServer(listen, bounds, observe)).server
    },
  })
  // whoever takes content reads it by himself
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('exchange')
  app.addHook('onRequest', (request, _, done) => {
    const entered = given.get(request.raw)
    if (entered) request.exchange = entered.exchange
    done()
  })
  return { app, drain: async (how) => http?.drain(how) }
}

/** callers take the next request elsewhere, also those who asked before it was to stop */
export function sendAway(app: FastifyInstance, stopping: () => boolean) {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping()) void reply.header('connection', 'close')
    done()
  })
}

/** what is on every answer of the framework's too */
export const headersFor = ({ id, closes }: Exchange): Record<string, string> => ({
  'x-request-id': id,
  ...standingHeaders,
  ...(closes && { connection: 'close' }),
})

/** a defect of ours; the words of an error may hold what was sent, so only its place is told */
export function tellFailure(error: unknown, requestId: string, observe: Observe): Problem {
  const { name, stack = '' } = error instanceof Error ? error : new Error('not an error')
  const at = stack.search(/^ +at /m)
  observe({ kind: 'failed', requestId, reason: name, ...(at >= 0 && { stack: `${name}\n${stack.slice(at)}` }) })
  return new Problem('internal_error')
}

export function sendProblem(problem: Problem, exchange: Exchange, reply: FastifyReply): FastifyReply {
  exchange.note(problem)
  return reply.code(problem.row.status).headers(headersOf(problem)).type(jsonType).send(bodyOf(problem, exchange.id))
}
