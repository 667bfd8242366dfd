// A collector for a test: receives traces over OTLP/HTTP as JSON and keeps the spans. And a service that sends them, set up as the guide
// on OpenTelemetry says.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from './process.ts'

type Value = { readonly stringValue?: string; readonly intValue?: number | string }

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 2: of a server, 3: of a client */
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
  readonly status: { readonly code: number }
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] }
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly Span[] }[]
  }[]
}

export interface ReceivedSpan extends Omit<Span, 'attributes'> {
  readonly service: string
  readonly attributes: Readonly<Record<string, string | number>>
}

const plain = (attributes: Span['attributes']) =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? Number(intValue)]),
  )

export interface Collector {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
}

export async function startCollector(t: Pick<TestContext, 'after'>): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const server = createServer((request, response) => {
    void (async () => {
      let text = ''
      for await (const part of request) text += String(part)
      const isTraces = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json'
      if (isTraces)
        for (const { resource, scopeSpans } of (JSON.parse(text) as Sent).resourceSpans)
          for (const { attributes, ...span } of scopeSpans.flatMap((scope) => scope.spans))
            spans.push({
              ...span,
              service: String(plain(resource.attributes)['service.name']),
              attributes: plain(attributes),
            })
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans }
}

/** the settings that the sandbox prints for a service */
async function startSandboxProgram(t: Pick<TestContext, 'after'>, folder: string, trouble: readonly string[]) {
  const args = ['sandbox', '--port', '0', '--data', join(folder, 'sandbox')]
  const child = spawn(resolve('bin/vitrine'), [...args, ...trouble.flatMap((rule) => ['--trouble', rule])], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => child.kill())
  let text = ''
  for await (const line of createInterface(child.stdout)) {
    text += line
    try {
      return JSON.parse(text) as { upstream: { baseUrl: string }; connections: object }
    } catch {
      // not all of it yet
    }
  }
  throw new Error('the sandbox does not start')
}

async function createKey(folder: string, env: Record<string, string>): Promise<string> {
  const args = ['keys', 'create', '--name', 'traced', '--connections', 'demo', '--groups', 'marketing']
  const child = spawn(resolve('bin/vitrine'), args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], VITRINE_STORE: 'sqlite:v.db', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  for await (const part of child.stdout) text += String(part)
  const [key] = /vtr_\w+/.exec(text) ?? []
  if (key === undefined) throw new Error(`no key: ${text}`)
  return key
}

interface TracedRead {
  readonly path: string
  /** faults of the sandbox */
  readonly trouble?: readonly string[]
  /** read before, outside the trace: the first call of a process is slower */
  readonly before?: string
}

/** a read of a service with the SDK of `deploy/opentelemetry/`, over the sandbox, and all spans of its trace */
export async function tracedRead(t: TestContext, { path, trouble = [], before }: TracedRead) {
  const folder = mkdtempSync(join(tmpdir(), 'traced-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [collector, { upstream, connections }] = await Promise.all([
    startCollector(t),
    startSandboxProgram(t, folder, trouble),
  ])
  const platform = { VITRINE_UPSTREAM_BASE_URL: upstream.baseUrl, VITRINE_CONNECTIONS: JSON.stringify(connections) }
  const program = await startProgram(t, {
    env: {
      ...platform,
      VITRINE_TRACES: 'true',
      NODE_OPTIONS: `--import ${resolve('deploy/opentelemetry/traces.mjs')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'vitrine-test',
    },
    stdio: 'ignore',
  })
  const key = await createKey(program.folder, platform)
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const authorization = `Bearer ${key}`
  if (before !== undefined) await (await fetch(`${program.url}${before}`, { headers: { authorization } })).text()
  const headers = { authorization, traceparent: `00-${traceId}-${spanId}-01` }
  const answer = await fetch(`${program.url}${path}`, { headers })
  const body = await answer.text()
  for (const until = Date.now() + 15_000; Date.now() < until; await sleep(50))
    if (collector.spans.some((span) => span.kind === 2 && span.traceId === traceId)) break
  return { status: answer.status, body, key, traceId, spanId, spans: collector.spans, program }
}
