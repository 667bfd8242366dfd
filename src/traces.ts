// Traces by the W3C's rules: reads the caller's `traceparent`, names each platform call in it, and makes spans where the
// operator has preloaded an OpenTelemetry SDK. A span says what a log line may say, and no more.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace as api,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api'
import type { CallTrace } from './engine/port.ts'
import type { Event } from './observe.ts'

/** what a platform call is made for; its connection is one of ours, never a text of the caller */
export interface Purpose {
  readonly operation: string
  readonly connection: string
  readonly attempt: number
}

export interface Trace {
  /** for the log: the caller's, or, where traces are on, ours */
  readonly id: string | undefined
  /** undefined where traces are off: then nothing of the caller's reaches the platform */
  readonly call?: (purpose: Purpose) => CallTrace
  /** what became of the request */
  answered(event: Event): void
}

type Headers = Pick<IncomingMessage, 'headers' | 'rawHeaders'>

export interface Traces {
  /** `isPart`: makes a span too, where traces are on */
  begin(headers: Headers, isPart: boolean): Trace
}

const [anyTraceId, anySpanId] = ['(?!0{32})[0-9a-f]{32}', '(?!0{16})[0-9a-f]{16}']
const fields = `-(?<traceId>${anyTraceId})-(?<spanId>${anySpanId})-(?<flags>[0-9a-f]{2})`
/** a version that comes later may append something, and is read as far as it is known; ff is none */
const traceparent = new RegExp(`^(?:00${fields}|(?!00|ff)[0-9a-f]{2}${fields}(?:-.*)?)$`)

/** two of them, or one that breaks a rule: as if none had come */
export function readTraceparent({ headers, rawHeaders }: Headers): SpanContext | undefined {
  if (headers['traceparent'] === undefined) return undefined
  const said = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'traceparent')
  const { traceId, spanId, flags } = (said.length === 1 && traceparent.exec(said[0] ?? '')?.groups) || {}
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

const newTraceId = (): string => randomBytes(16).toString('hex')
const newSpanId = (): string => randomBytes(8).toString('hex')

const written = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`

/** without an SDK a span is its parent again, or nobody */
function contextOf(span: Span, parent: SpanContext | undefined): SpanContext {
  const context = span.spanContext()
  if (isSpanContextValid(context) && context.spanId !== parent?.spanId) return context
  const { traceId = newTraceId(), traceFlags = TraceFlags.NONE } = parent ?? {}
  return { traceId, spanId: newSpanId(), traceFlags }
}

interface Outcome {
  readonly status?: number
  readonly code?: string
}

function finish(span: Span, { status, code }: Outcome, isFailure: boolean) {
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (code !== undefined) span.setAttribute('vitrine.code', code)
  if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

function beginCall(tracer: Tracer, parent: SpanContext, { operation, connection, attempt }: Purpose): CallTrace {
  const span = tracer.startSpan(
    'platform call',
    {
      kind: SpanKind.CLIENT,
      attributes: {
        'vitrine.operation': operation,
        'vitrine.connection': connection,
        'vitrine.attempt': attempt,
      },
    },
    api.setSpanContext(ROOT_CONTEXT, parent),
  )
  return {
    traceparent: written(contextOf(span, parent)),
    end: (came) => finish(span, came, came.code !== undefined || (came.status ?? 200) >= 400),
  }
}

function beginTrace(tracer: Tracer, theirs: SpanContext | undefined): Trace {
  const above = theirs ? api.setSpanContext(ROOT_CONTEXT, theirs) : ROOT_CONTEXT
  // its name is known once the path is, or never
  const span = tracer.startSpan('unknown', { kind: SpanKind.SERVER }, above)
  const context = contextOf(span, theirs)
  return {
    id: context.traceId,
    call: (purpose) => beginCall(tracer, context, purpose),
    answered(event) {
      if (event.kind !== 'answered') return
      const { operation, connection, status } = event
      span.updateName(operation)
      span.setAttribute('vitrine.operation', operation)
      if (connection !== undefined) span.setAttribute('vitrine.connection', connection)
      finish(span, event, status >= 500)
    },
  }
}

export function createTraces(on: boolean): Traces {
  const tracer = on ? api.getTracer('vitrine') : undefined
  return {
    begin(headers, isPart) {
      const theirs = readTraceparent(headers)
      return tracer && isPart ? beginTrace(tracer, theirs) : { id: theirs?.traceId, answered: () => {} }
    },
  }
}
