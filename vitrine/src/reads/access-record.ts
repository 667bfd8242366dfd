// What the log and the metrics record of a request.
import { type ExchangeRecord, recordedStatus } from '../../../base/web/exchange.ts'
import type { Event } from '../events.ts'
import type { Cost } from '../platform/port.ts'

export interface AccessRecord extends ExchangeRecord {
  readonly cost: Cost
  readonly startedAt: number
  keyId?: string
  connection?: string
  traceId?: string
}

export const beginRecord = (): AccessRecord => ({
  operation: 'unknown',
  cost: { calls: 0, retries: 0, shared: 0, waitedMs: 0, platformMs: 0 },
  startedAt: performance.now(),
})

type Told = Extract<Event, { kind: 'answered' }>
type Answered = { -readonly [K in keyof Told]: Told[K] }

interface Request {
  readonly id: string
  readonly method: string
  readonly from: string
}

/** Times are in whole milliseconds; what did not happen is left out. `status`: of an answer that left whole. */
export function eventOf(record: AccessRecord, request: Request, status: number | undefined): Told {
  const { id: requestId, method, from } = request
  const { operation, keyId, connection, code, reason, cache, traceId, stream, startedAt } = record
  const { calls, retries, shared, waitedMs, platformMs } = record.cost
  const durationMs = Math.round(performance.now() - startedAt)
  const event: Answered = {
    kind: 'answered',
    requestId,
    method,
    operation,
    from,
    platformCalls: calls,
    status: recordedStatus(record, status),
    durationMs,
  }
  // spreading optional members took longer than the rest of the record
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
