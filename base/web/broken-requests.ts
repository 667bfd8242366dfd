// Answers bytes that are no HTTP request.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Observe } from '../core/events.ts'
import { Problem, type ProblemCode } from '../core/problem.ts'
import { breakOff } from './body.ts'
import type { InFlight } from './sockets.ts'
import { makeRequestId } from './exchange.ts'
import { rawAnswer } from './refusal.ts'

interface ParseError extends Error {
  readonly code?: string
  readonly reason?: string
  readonly rawPacket?: Buffer
}

const codes: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
}

function codeOf({ code = '', reason, rawPacket }: ParseError): ProblemCode {
  // also the parser's word for a missing CR after the version
  if (reason === 'Invalid HTTP version') return 'version_not_supported'
  const endlessLine = code === 'HPE_HEADER_OVERFLOW' && /^[A-Z]+ [^\r\n]*$/.test(rawPacket?.toString('latin1') ?? '')
  return endlessLine ? 'uri_too_long' : (codes[code] ?? 'malformed_request')
}

const lastMs = 30_000

/** `end` alone would let a slow sender keep the socket open */
export function refuseSocket(socket: Duplex, problem: Problem, inFlight: InFlight) {
  if (!socket.writable) return void socket.destroy()
  socket.pause()
  const waiting = inFlight.sockets.get(socket)?.answers
  // after the answers to earlier requests
  for (const res of waiting ?? []) {
    const late = globalThis.setTimeout(() => socket.destroy(), lastMs).unref()
    return void res.once('close', () => {
      clearTimeout(late)
      refuseSocket(socket, problem, inFlight)
    })
  }
  return void socket.end(rawAnswer(problem, makeRequestId()), () => socket.destroy())
}

export function refuseBrokenRequests(server: Server, inFlight: InFlight, observe: Observe) {
  const turnAway = (socket: Duplex, code: ProblemCode, reason: string) => {
    if (inFlight.sockets.get(socket)?.isCut) return
    observe({ kind: 'refused', code, reason })
    refuseSocket(socket, new Problem(code), inFlight)
  }
  server.on('clientError', (error: ParseError, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else turnAway(socket, codeOf(error), error.code ?? 'unknown')
    breakOff(socket, error)
  })
  server.on('connect', (_: IncomingMessage, socket: Duplex) => turnAway(socket, 'malformed_request', 'CONNECT'))
}
