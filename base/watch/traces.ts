// W3C Trace Context: reads the caller's `traceparent`, and makes spans if the operator has preloaded an OpenTelemetry SDK.
import type { IncomingMessage } from 'node:http'
import type { SpanContext } from '@opentelemetry/api'
import type { Trace } from './spans.ts'

export type { Trace } from './spans.ts'

type Headers = Pick<IncomingMessage, 'headers' | 'rawHeaders'>

export interface Traces {
  begin(headers: Headers, isPart: boolean): Trace
}

const [anyTraceId, anySpanId] = ['(?!0{32})[0-9a-f]{32}', '(?!0{16})[0-9a-f]{16}']
const fields = `-(?<traceId>${anyTraceId})-(?<spanId>${anySpanId})-(?<flags>[0-9a-f]{2})`
/** later versions may append fields; ff is invalid */
const traceparent = new RegExp(`^(?:00${fields}|(?!00|ff)[0-9a-f]{2}${fields}(?:-.*)?)$`)

const sampled = 1

export function readTraceparent({ headers, rawHeaders }: Headers): SpanContext | undefined {
  if (headers['traceparent'] === undefined) return undefined
  const said = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'traceparent')
  const { traceId, spanId, flags } = (said.length === 1 && traceparent.exec(said[0] ?? '')?.groups) || {}
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & sampled, isRemote: true }
}

/** without a trace, which is nearly always */
const none: Trace = { id: undefined, answered: () => {} }

export async function openTraces(on: boolean, name: string): Promise<Traces> {
  const spans = on ? await import('./spans.ts') : undefined
  const tracer = spans?.findTracer(name)
  return {
    begin(headers, isPart) {
      const theirs = readTraceparent(headers)
      if (spans && tracer && isPart) return spans.beginTrace(tracer, theirs)
      return theirs ? { ...none, id: theirs.traceId } : none
    },
  }
}
