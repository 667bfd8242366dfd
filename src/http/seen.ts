// What the log will say of a request, gathered while it is answered and told once when its last byte has left, or its caller.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Observe } from '../observe.ts'

export interface Seen {
  operation: string
  platformCalls: number
  startedAt: number
  from: string
  keyId?: string
  connection?: string
  code?: string
  reason?: string
  /** nobody waited for the answer any more */
  left?: true
}

declare module 'fastify' {
  interface FastifyRequest {
    seen: Seen
  }
}

/** the caller was gone before his answer */
const leftStatus = 499

export function beginSeen(
  request: FastifyRequest,
  { raw }: FastifyReply,
  operation: string,
  observe: Observe,
  now: () => number,
) {
  const seen: Seen = { operation, from: request.ip, platformCalls: 0, startedAt: now() }
  request.seen = seen
  const { id: requestId, method } = request
  raw.once('close', () => {
    const { startedAt, left, ...known } = seen
    const status = left || !raw.writableFinished ? leftStatus : raw.statusCode
    observe({ kind: 'answered', requestId, method, ...known, status, durationMs: now() - startedAt })
  })
}

/** how long an answer is still worked on for a caller who has closed his half, which most do who leave */
const halfClosedMs = 1_000

/** `leave` is called when nobody waits for the answer any more */
export function onLeave({ raw: { socket }, seen }: FastifyRequest, { raw }: FastifyReply, leave: () => void) {
  const go = () => {
    seen.left = true
    leave()
  }
  if (raw.closed) return go()
  let patience: NodeJS.Timeout | undefined
  const halfClosed = () => (patience = setTimeout(go, halfClosedMs))
  socket.once('end', halfClosed)
  raw.once('close', () => {
    clearTimeout(patience)
    socket.off('end', halfClosed)
    if (!raw.writableFinished) go()
  })
}
