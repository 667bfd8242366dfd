// Spans of OpenTelemetry: one for a request, and one for each platform call that it makes. A span says what a log line may
// say, and no more. Loaded where traces are on, since the library is a hundred files.
import { randomBytes } from 'node:crypto'
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

export function beginTrace(tracer: Tracer, theirs: SpanContext | undefined): Trace {
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

export const findTracer = (): Tracer => api.getTracer('vitrine')
