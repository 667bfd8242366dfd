import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test from 'node:test'
import { SpanKind } from '@opentelemetry/api'
import { page } from '../support/example-routes.ts'
import { startScriptedRequests } from '../support/scripted-requests.ts'
import { refuse, send } from '../support/scripted-platform.ts'
import { answeredEvent, healthy, on, preload, sentBy, callerContext, theirSpan, theirTrace } from '../support/traces.ts'

test('with an SDK installed, a request is a span and each platform call is its child', async (t) => {
  const spans = preload(t)
  const scene = await startScriptedRequests(t, on)
  let asked = 0
  scene.platform.script = (_, res) => {
    asked++
    if (asked === 1) refuse(res, 500, 'UNEXPECTED_ERROR')
    else send(res, page.healthy)
  }
  await scene.service.ask(page.path, { headers: { traceparent: callerContext } })
  await answeredEvent(scene.service)
  const [server, ...calls] = spans
  const context = { 'vitrine.operation': 'listSubscriptionOfferCodes', 'vitrine.connection': 'acme' }
  assert.deepEqual(
    spans.map(({ name, kind, attributes, failed, ended }) => ({ name, kind, attributes, failed, ended })),
    [
      {
        name: server?.name,
        kind: SpanKind.SERVER,
        failed: false,
        ended: 1,
        attributes: { ...context, 'http.response.status_code': 200 },
      },
      {
        name: 'platform call',
        kind: SpanKind.CLIENT,
        failed: true,
        ended: 1,
        attributes: {
          ...context,
          'vitrine.attempt': 1,
          'http.response.status_code': 500,
          'vitrine.code': 'upstream_failed',
        },
      },
      {
        name: 'platform call',
        kind: SpanKind.CLIENT,
        failed: false,
        ended: 1,
        attributes: { ...context, 'vitrine.attempt': 2, 'http.response.status_code': 200 },
      },
    ],
  )
  assert.equal(server?.name, context['vitrine.operation'])
  assert.deepEqual([server?.parent?.traceId, server?.parent?.spanId], [theirTrace, theirSpan])
  for (const call of calls) assert.equal(call.parent?.spanId, server?.context.spanId)
  assert.deepEqual(
    sentBy(scene),
    calls.map(({ context: { traceId, spanId } }) => `00-${traceId}-${spanId}-01`),
  )
})

test('the SDK decides on sampling, and starts a trace if the caller sends none', async (t) => {
  const spans = preload(t, 0)
  const scene = await startScriptedRequests(t, on)
  scene.platform.script = healthy
  await scene.service.ask(page.path)
  assert.deepEqual(sentBy(scene), [`00-${'b'.repeat(32)}-${spans[1]?.context.spanId}-00`])
  assert.equal((await answeredEvent(scene.service)).traceId, 'b'.repeat(32))
  await scene.service.ask(page.path, { headers: { traceparent: callerContext } })
  assert.equal(sentBy(scene)[1], `00-${theirTrace}-${spans[3]?.context.spanId}-00`)
})

test('a span contains nothing that a log line may not: no path, id, query, address or key', async (t) => {
  const spans = preload(t)
  const scene = await startScriptedRequests(t, on)
  scene.platform.script = (_, res) => refuse(res, 404, 'NOT_FOUND')
  const { service } = scene
  await service.ask('/subscriptions/CANARY1/offer-codes?fields=name')
  await service.ask('/apps?name=CANARY2')
  await service.ask('/apps?CANARY3=1')
  await service.ask('/v1/connections/CANARY4/apps')
  await service.ask('/v1/CANARY5')
  await service.ask('/apps', { key: 'CANARY6' })
  await service.ask('/healthz?CANARY7')
  await answeredEvent(service, 7)
  const text = JSON.stringify(spans)
  assert.doesNotMatch(text, /CANARY|127\.0\.0\.1|vtr_|NOT_FOUND|PLATFORM/)
  const servers = spans.filter(({ kind }) => kind === SpanKind.SERVER)
  assert.equal(servers.length, 6, 'a page is in no trace')
  assert.deepEqual(servers.at(-1)?.attributes, {
    'vitrine.operation': 'unknown',
    'http.response.status_code': 401,
    'vitrine.code': 'key_invalid',
  })
  assert.deepEqual(
    new Set(spans.flatMap(({ attributes }) => Object.keys(attributes))),
    new Set([
      'vitrine.operation',
      'vitrine.connection',
      'vitrine.attempt',
      'vitrine.code',
      'http.response.status_code',
    ]),
  )
  assert.ok(spans.every(({ ended }) => ended === 1))
})

test('with the setting off an installed SDK receives no spans', async (t) => {
  const spans = preload(t)
  const scene = await startScriptedRequests(t)
  scene.platform.script = healthy
  await scene.service.ask(page.path, { headers: { traceparent: callerContext } })
  assert.deepEqual(spans, [])
  assert.deepEqual(sentBy(scene), [undefined])
})

test('a malformed platform answer fails the span of the request, and not that of the completed call', async (t) => {
  const spans = preload(t)
  const scene = await startScriptedRequests(t, on)
  scene.platform.script = (_, res) => send(res, [])
  assert.equal((await scene.service.ask(page.path)).status, 502)
  await answeredEvent(scene.service)
  assert.deepEqual(
    spans.map(({ kind, failed }) => [kind, failed]),
    [
      [SpanKind.SERVER, true],
      [SpanKind.CLIENT, false],
    ],
  )
})

test('equal reads that share a call share its span, in the trace of the first caller', async (t) => {
  const spans = preload(t)
  const scene = await startScriptedRequests(t, on)
  const { platform, service } = scene
  let answer = () => {}
  platform.script = (_, res) => void (answer = () => send(res, page.healthy))
  const first = service.ask(page.path, { headers: { traceparent: callerContext } })
  const until = async (done: () => boolean) => {
    for (const endsAt = Date.now() + 10_000; !done(); await new Promise((ok) => setTimeout(ok, 5)))
      assert.ok(Date.now() < endsAt)
  }
  await until(() => platform.calls.length === 1)
  const second = service.ask(page.path)
  await until(() => service.events.some(({ kind }) => kind === 'shared'))
  answer()
  assert.deepEqual(
    (await Promise.all([first, second])).map(({ status }) => status),
    [200, 200],
  )
  await answeredEvent(service, 2)
  const calls = spans.filter(({ kind }) => kind === SpanKind.CLIENT)
  assert.deepEqual(
    calls.map(({ context, ended }) => [context.traceId, ended]),
    [[theirTrace, 1]],
  )
  assert.deepEqual(
    spans.map(({ ended }) => ended),
    [1, 1, 1],
  )
})

test('when a caller disconnects, their span ends and so does that of the aborted call', async (t) => {
  const spans = preload(t)
  const scene = await startScriptedRequests(t, on)
  const { platform, service } = scene
  const socket = connect(service.port, '127.0.0.1')
  platform.script = () => void socket.destroy()
  socket.on('error', () => {})
  socket.write(
    `GET /v1/connections/acme${page.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\n\r\n`,
  )
  await answeredEvent(service)
  for (const endsAt = Date.now() + 10_000; spans.some(({ ended }) => ended === 0);)
    await new Promise((ok) => setTimeout(ok, Date.now() < endsAt ? 5 : assert.fail('a span is open')))
  assert.deepEqual(
    spans.map(({ kind, ended }) => [kind, ended]),
    [
      [SpanKind.SERVER, 1],
      [SpanKind.CLIENT, 1],
    ],
  )
  assert.equal(spans[0]?.attributes['http.response.status_code'], 499)
})
