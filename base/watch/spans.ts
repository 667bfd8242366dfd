// Spans of OpenTelemetry: one for a request, and one for each platform call. A span holds only what a log line may hold.
// Loaded only if traces are on, since the library has a hundred files.
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
import type { Event } from '../core/events.ts'

/** what a platform call is for; `connection` is a configured name, never text of the caller */
export interface Purpose {
  readonly operation: string
  readonly connection: string
  readonly attempt: number
}

export interface CallTrace {
  /** sent with the call if the trace goes on at the platform */
  readonly traceparent?: string
  end(came: { readonly status?: number; readonly code?: string }): void
}

export interface Trace {
  /** for the log: the caller's trace id, or ours if traces are on */
  readonly id: string | undefined
  /** undefined if traces are off: then nothing of the caller's reaches the platform */
  readonly call?: (purpose: Purpose) => CallTrace
  answered(event: Event): void
}

const newTraceId = (): string => randomBytes(16).toString('hex')
const newSpanId = (): string => randomBytes(8).toString('hex')

const written = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`

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

interface Named {
  readonly span: Span
  readonly name: string
}

function finish({ span, name }: Named, { status, code }: Outcome, isFailure: boolean) {
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (code !== undefined) span.setAttribute(`${name}.code`, code)
  if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

function beginCall({ tracer, name }: Service, parent: SpanContext, purpose: Purpose): CallTrace {
  const attributes = Object.fromEntries(Object.entries(purpose).map(([key, value]) => [`${name}.${key}`, value]))
  const span = tracer.startSpan(
    'platform call',
    { kind: SpanKind.CLIENT, attributes },
    api.setSpanContext(ROOT_CONTEXT, parent),
  )
  return {
    traceparent: written(contextOf(span, parent)),
    end: (came) => finish({ span, name }, came, came.code !== undefined || (came.status ?? 200) >= 400),
  }
}

/** `name`: of the tracer, and the prefix of span attributes */
export interface Service {
  readonly tracer: Tracer
  readonly name: string
}

export function beginTrace(service: Service, theirs: SpanContext | undefined): Trace {
  const { tracer, name } = service
  const above = theirs ? api.setSpanContext(ROOT_CONTEXT, theirs) : ROOT_CONTEXT
  // its name is known once the path is, or never
  const span = tracer.startSpan('unknown', { kind: SpanKind.SERVER }, above)
  const context = contextOf(span, theirs)
  return {
    id: context.traceId,
    call: (purpose) => beginCall(service, context, purpose),
    answered(event) {
      if (event.kind !== 'answered') return
      const { operation, connection, status } = event
      span.updateName(operation)
      span.setAttribute(`${name}.operation`, operation)
      if (connection !== undefined) span.setAttribute(`${name}.connection`, connection)
      finish({ span, name }, event, status >= 500)
    },
  }
}

export const findTracer = (name: string): Service => ({ name, tracer: api.getTracer(name) })
