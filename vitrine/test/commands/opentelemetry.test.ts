// The guide on OpenTelemetry, end to end: the SDK of deploy/opentelemetry is loaded with --import, and a collector receives the spans.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { drawTrace } from '../../scripts/draw-trace.ts'
import { noYaml, readOne, type Tree } from '../deploy/files.ts'
import { tracedRead } from '../support/otlp.ts'

const read = (file: string): string => readFileSync(file, 'utf8')
const event = '3f0c1b52-8a64-4e5e-9d10-0e0000000003'
const path = `/v1/connections/demo/events/${event}/localizations/en-US/event-screenshots/ids?limit=2`

test('a collector receives the trace of a read, with each platform call and what it came to', async (t) => {
  const traced = await tracedRead(t, { path, trouble: ['503:2'] })
  assert.equal(traced.status, 200, traced.body)
  const mine = traced.spans.filter(({ traceId }) => traceId === traced.traceId)
  const server = mine.find(({ kind }) => kind === 2)
  assert.deepEqual([server?.service, server?.parentSpanId], ['vitrine-test', traced.spanId])
  const common = { 'vitrine.operation': 'listEventScreenshotIds', 'vitrine.connection': 'demo' }
  assert.deepEqual(server?.attributes, { ...common, 'http.response.status_code': 200 })
  const calls = mine.filter(({ kind }) => kind === 3)
  assert.deepEqual(
    calls.map(({ parentSpanId, attributes, status }) => [parentSpanId, attributes, status.code]),
    [
      [server?.spanId, { ...common, 'vitrine.attempt': 1, 'http.response.status_code': 200 }, 0],
      [
        server?.spanId,
        { ...common, 'vitrine.attempt': 1, 'http.response.status_code': 503, 'vitrine.code': 'upstream_unavailable' },
        2,
      ],
      [server?.spanId, { ...common, 'vitrine.attempt': 2, 'http.response.status_code': 200 }, 0],
    ],
  )
  assert.equal(mine.length, 4)
  // nothing of the path, the caller or the key
  const sent = JSON.stringify(traced.spans)
  for (const secret of [event, 'en-US', '127.0.0.1', traced.key]) assert.ok(!sent.includes(secret), secret)

  const picture = drawTrace(mine, 'x')
  for (const text of ['listEventScreenshotIds', 'attempt 1, 503 upstream_unavailable', 'attempt 2, 200'])
    assert.ok(picture.includes(text), text)

  // the SDK keeps no process from ending
  assert.equal(await traced.program.stop(), 0)
})

test('the guide shows the files of the example as they are, and the picture is of such a trace', () => {
  const guide = read('docs/guides/opentelemetry.md')
  const [, program] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  assert.ok(program && read('deploy/opentelemetry/traces.mjs').endsWith(program))
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
  for (const name of ['@opentelemetry/sdk-trace', '@opentelemetry/exporter-trace-otlp-http'])
    assert.ok(guide.includes(`${name}@${devDependencies[name]}`), name)
  const picture = read('docs/guides/trace.svg')
  assert.match(picture, /attempt 1, 503 upstream_unavailable[\s\S]*attempt 2, 200/)
})

test('the collector scrapes as Prometheus does, and every part of a pipeline is configured', { skip: noYaml }, () => {
  const collector = readOne('opentelemetry/collector.yaml')
  const { receivers, processors, exporters, service } = collector
  const own = receivers['prometheus'].config.scrape_configs[0] as Tree
  const theirs = readOne('monitoring/prometheus.yaml')['scrape_configs'][0] as Tree
  assert.deepEqual([own['job_name'], own['static_configs']], [theirs['job_name'], theirs['static_configs']])
  assert.deepEqual(Object.keys(own['authorization']), Object.keys(theirs['authorization']))
  for (const [name, pipeline] of Object.entries(service['pipelines'] as Record<string, Record<string, string[]>>))
    for (const [kind, parts] of Object.entries({ receivers, processors, exporters }))
      for (const part of pipeline[kind] ?? assert.fail(name)) assert.ok(part in parts, `${name}: ${part}`)
})
