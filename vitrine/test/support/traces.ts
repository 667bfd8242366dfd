// Shared by the tests of traces: a caller's trace, the context sent to the platform, and a minimal SDK that records spans.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { trace, type Span, type SpanContext, type SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { Event } from '../../src/events.ts'
import { page } from './example-routes.ts'
import { type Script, type ScriptedPlatform, send } from './scripted-platform.ts'
import type { Service } from './service.ts'

export const theirTrace = '4bf92f3577b34da6a3ce929d0e0e4736'
export const theirSpan = '00f067aa0ba902b7'
export const callerContext = `00-${theirTrace}-${theirSpan}-01`
export const on = { file: { traces: true } }

export const healthy: Script = (_, res) => send(res, page.healthy)

/** the log event of the last request, which comes after its answer */
export async function answeredEvent({ events }: Service, count = 1) {
  for (const until = Date.now() + 10_000; Date.now() < until; await new Promise((ok) => setTimeout(ok, 5))) {
    const answers = events.filter((event): event is Extract<Event, { kind: 'answered' }> => event.kind === 'answered')
    if (answers.length >= count) return answers.at(-1)!
  }
  return assert.fail('no event')
}

export const sentBy = ({ platform }: { platform: ScriptedPlatform }) =>
  platform.calls.map(({ headers }) => headers['traceparent'])

export interface RecordedSpan {
  name: string
  readonly kind: SpanKind | undefined
  readonly context: SpanContext
  readonly parent: SpanContext | undefined
  readonly attributes: Record<string, unknown>
  failed: boolean
  ended: number
}

/** a minimal SDK that records spans, registered until the test ends */
export function preload(t: TestContext, traceFlags = 1): RecordedSpan[] {
  const spans: RecordedSpan[] = []
  const startSpan: Tracer['startSpan'] = (name, options = {}, context) => {
    const parent = context && trace.getSpanContext(context)
    const spanId = (spans.length + 1).toString(16).padStart(16, 'a')
    const traceId = parent?.traceId ?? 'b'.repeat(32)
    const attributes = { ...options.attributes }
    const noted: RecordedSpan = {
      name,
      kind: options.kind,
      context: { traceId, spanId, traceFlags },
      parent,
      attributes,
      failed: false,
      ended: 0,
    }
    spans.push(noted)
    const span = {
      spanContext: () => noted.context,
      setAttribute: (key: string, value: unknown) => ((attributes[key] = value as string), span),
      setStatus: ({ code }: { code: SpanStatusCode }) => ((noted.failed = code === SpanStatusCode.ERROR), span),
      updateName: (to: string) => ((noted.name = to), span),
      end: () => noted.ended++,
      isRecording: () => true,
    } as unknown as Span
    return span
  }
  const tracer = { startSpan } as Tracer
  assert.ok(trace.setGlobalTracerProvider({ getTracer: () => tracer }))
  t.after(() => trace.disable())
  return spans
}
