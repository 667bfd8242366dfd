// What the log will say of a request, gathered while it is answered and told once when its last byte has left, or its caller.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Cost, noCost } from '../engine/port.ts'
import type { Observe } from '../observe.ts'

export interface Seen {
  operation: string
  readonly cost: Cost
  /** on the steady clock */
  readonly startedAt: number
  from: string
  keyId?: string
  connection?: string
  code?: string
  reason?: string
  cache?: 'hit' | 'miss' | 'revalidated'
  traceId?: string
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

/** in whole milliseconds; what did not happen is left out */
function costOf({ calls, retries, shared, waitedMs, platformMs }: Cost) {
  return {
    platformCalls: calls,
    ...(retries > 0 && { retries }),
    ...(shared > 0 && { shared }),
    ...(waitedMs >= 1 && { waitedMs: Math.round(waitedMs) }),
    ...(calls > 0 && { platformMs: Math.round(platformMs) }),
  }
}

export function beginSeen(request: FastifyRequest, { raw }: FastifyReply, operation: string, observe: Observe) {
  const seen: Seen = { operation, from: request.from, cost: noCost(), startedAt: performance.now() }
  request.seen = seen
  const { id: requestId, method } = request
  raw.once('close', () => {
    const { startedAt, left, cost, ...known } = seen
    const status = left || !raw.writableFinished ? leftStatus : raw.statusCode
    const durationMs = Math.round(performance.now() - startedAt)
    observe({ kind: 'answered', requestId, method, ...known, ...costOf(cost), status, durationMs })
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
