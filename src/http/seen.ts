// What the log will say of a request, gathered while it is answered and told once when its last byte has left, or its caller.
import { type Cost, noCost } from '../engine/port.ts'
import type { Event } from '../observe.ts'

export interface Seen {
  operation: string
  readonly cost: Cost
  /** on the steady clock */
  readonly startedAt: number
  keyId?: string
  connection?: string
  code?: string
  reason?: string
  cache?: 'hit' | 'miss' | 'revalidated'
  traceId?: string
  /** nobody waited for the answer any more */
  left?: true
  /** there is no end to wait for: whoever leaves has had his answer */
  stream?: true
}

export const beginSeen = (): Seen => ({ operation: 'unknown', cost: noCost(), startedAt: performance.now() })

/** the caller was gone before his answer */
const leftStatus = 499

type Answered = { -readonly [K in keyof Told]: Told[K] }
type Told = Extract<Event, { kind: 'answered' }>

interface Ended {
  readonly requestId: string
  readonly method: string
  readonly from: string
  /** of an answer that left whole */
  readonly status: number | undefined
}

function statusOf({ stream, left }: Seen, status: number | undefined): number {
  if (stream) return 200
  return left ? leftStatus : (status ?? leftStatus)
}

/** times in whole milliseconds; what did not happen is left out */
export function eventOf(seen: Seen, { requestId, method, from, status }: Ended): Told {
  const { operation, keyId, connection, code, reason, cache, traceId, stream, startedAt } = seen
  const { calls, retries, shared, waitedMs, platformMs } = seen.cost
  const durationMs = Math.round(performance.now() - startedAt)
  const event: Answered = {
    kind: 'answered',
    requestId,
    method,
    operation,
    from,
    platformCalls: calls,
    status: statusOf(seen, status),
    durationMs,
  }
  // one by one: spreading what may be absent took longer than the rest of the record
  if (traceId !== undefined) event.traceId = traceId
  if (keyId !== undefined) event.keyId = keyId
  if (connection !== undefined) event.connection = connection
  if (code !== undefined) event.code = code
  if (reason !== undefined) event.reason = reason
  if (cache !== undefined) event.cache = cache
  if (stream !== undefined) event.stream = stream
  if (retries > 0) event.retries = retries
  if (shared > 0) event.shared = shared
  if (waitedMs >= 1) event.waitedMs = Math.round(waitedMs)
  if (calls > 0) event.platformMs = Math.round(platformMs)
  return event
}
