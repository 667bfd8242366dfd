import assert from 'node:assert/strict'
import test from 'node:test'
import { listing, answerRead, page } from '../support/example-routes.ts'
import { sendRaw } from '../../../base/test/raw-client.ts'
import { startScriptedRequests } from '../support/scripted-requests.ts'
import { refuse, send } from '../support/scripted-platform.ts'
import { answeredEvent, healthy, on, sentBy, callerContext, theirSpan, theirTrace } from '../support/traces.ts'

const partsOf = (traceparent: string | string[] | undefined): string[] => {
  assert.match(String(traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/)
  return String(traceparent).split('-')
}

test("with the setting off no traceparent reaches the platform, and the log has the caller's trace id", async (t) => {
  const scene = await startScriptedRequests(t)
  scene.platform.script = healthy
  await scene.service.ask(page.path, { headers: { traceparent: callerContext, tracestate: 'a=b', baggage: 'c=d' } })
  assert.deepEqual(sentBy(scene), [undefined])
  assert.equal((await answeredEvent(scene.service)).traceId, theirTrace)
  await scene.service.ask(page.path)
  assert.equal('traceId' in (await answeredEvent(scene.service, 2)), false)
})

test("rejected requests and pages without a key are logged with the caller's trace id too", async (t) => {
  const { service } = await startScriptedRequests(t)
  const headers = { traceparent: callerContext }
  const rows: [path: string, status: number][] = [
    ['/v1/nothing', 404],
    ['/apps?nmae=x', 400],
    ['/healthz', 200],
  ]
  for (const [i, [path, status]] of rows.entries()) {
    assert.equal((await service.ask(path, { headers })).status, status)
    assert.equal((await answeredEvent(service, i + 1)).traceId, theirTrace, path)
  }
  assert.equal((await service.ask('/apps', { headers, key: 'wrong' })).status, 401)
  assert.equal((await answeredEvent(service, 4)).traceId, theirTrace)
})

test("with the setting on every platform call is part of the caller's trace, with its own span id", async (t) => {
  const scene = await startScriptedRequests(t, on)
  scene.platform.script = answerRead(listing, listing.healthy)
  const headers = { traceparent: callerContext, tracestate: 'a=b', baggage: 'c=d' }
  assert.equal((await scene.service.ask(listing.path, { headers })).status, 200)
  const calls = sentBy(scene).map(partsOf)
  assert.equal(calls.length, 2)
  assert.ok(calls.every(([, traceId, , flags]) => traceId === theirTrace && flags === '01'))
  assert.equal(new Set([theirSpan, ...calls.map(([, , spanId]) => spanId)]).size, 3)
  for (const call of scene.platform.calls) {
    assert.equal(call.headers['tracestate'], undefined)
    assert.equal(call.headers['baggage'], undefined)
  }
  assert.equal((await answeredEvent(scene.service)).traceId, theirTrace)
})

test('without a traceparent each request starts its own unsampled trace', async (t) => {
  const scene = await startScriptedRequests(t, on)
  scene.platform.script = healthy
  await scene.service.ask(page.path)
  const first = await answeredEvent(scene.service)
  await scene.service.ask(page.path)
  const second = await answeredEvent(scene.service, 2)
  const calls = sentBy(scene).map(partsOf)
  assert.deepEqual(
    calls.map(([, traceId]) => traceId),
    [first.traceId, second.traceId],
  )
  assert.notEqual(first.traceId, second.traceId)
  assert.ok(calls.every(([, , , flags]) => flags === '00'))
})

test('a retry is another span of the same trace', async (t) => {
  const scene = await startScriptedRequests(t, on)
  let asked = 0
  scene.platform.script = (_, res) => {
    asked++
    if (asked === 1) refuse(res, 401, 'NOT_AUTHORIZED')
    else if (asked === 2) refuse(res, 500, 'UNEXPECTED_ERROR')
    else send(res, page.healthy)
  }
  assert.equal((await scene.service.ask(page.path, { headers: { traceparent: callerContext } })).status, 200)
  const calls = sentBy(scene).map(partsOf)
  assert.equal(calls.length, 3)
  assert.ok(calls.every(([, traceId]) => traceId === theirTrace))
  assert.equal(new Set(calls.map(([, , spanId]) => spanId)).size, 3)
})

const [zeroTrace, zeroSpan] = ['0'.repeat(32), '0'.repeat(16)]
const headerRows: [said: string, flags: string | undefined][] = [
  [callerContext, '01'],
  [`00-${theirTrace}-${theirSpan}-00`, '00'],
  [`00-${theirTrace}-${theirSpan}-03`, '01'],
  [`00-${theirTrace}-${theirSpan}-fe`, '00'],
  [`00-${theirTrace}-${theirSpan}-ff`, '01'],
  [` \t${callerContext} `, '01'],
  // unknown versions: the known fields are read
  [`01-${theirTrace}-${theirSpan}-01`, '01'],
  [`cc-${theirTrace}-${theirSpan}-01-`, '01'],
  [`fe-${theirTrace}-${theirSpan}-00-what/will.be-there,then`, '00'],
  [`cc-${theirTrace}-${theirSpan}-01.what`, undefined],
  [`cc-${theirTrace}-${theirSpan}-01x`, undefined],
  [`ff-${theirTrace}-${theirSpan}-01`, undefined],
  [`ff-${theirTrace}-${theirSpan}-01-x`, undefined],
  [`00-${theirTrace}-${theirSpan}-01-`, undefined],
  [`00-${theirTrace}-${theirSpan}-01-more`, undefined],
  [`00-${theirTrace.toUpperCase()}-${theirSpan}-01`, undefined],
  [`00-${theirTrace}-${theirSpan.toUpperCase()}-01`, undefined],
  [`00-${theirTrace}-${theirSpan}-0F`, undefined],
  [`0A-${theirTrace}-${theirSpan}-01`, undefined],
  [`00-${zeroTrace}-${theirSpan}-01`, undefined],
  [`00-${theirTrace}-${zeroSpan}-01`, undefined],
  [`00-${theirTrace.slice(1)}-${theirSpan}-01`, undefined],
  [`00-${theirTrace}0-${theirSpan}-01`, undefined],
  [`00-${theirTrace}-${theirSpan.slice(1)}-01`, undefined],
  [`00-${theirTrace}-${theirSpan}-1`, undefined],
  [`00-${theirTrace}-${theirSpan}`, undefined],
  [`0-${theirTrace}-${theirSpan}-01`, undefined],
  [`00_${theirTrace}_${theirSpan}_01`, undefined],
  [`00-${theirTrace.slice(1)}g-${theirSpan}-01`, undefined],
  [`${callerContext},${callerContext}`, undefined],
  [`"${callerContext}"`, undefined],
  ['', undefined],
  ['<script>', undefined],
]

test('an invalid traceparent is ignored', async (t) => {
  const scene = await startScriptedRequests(t, on)
  scene.platform.script = healthy
  const { service } = scene
  const say = (fields: string) =>
    sendRaw(
      service.port,
      `GET /v1/connections/acme${page.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\n${fields}Connection: close\r\n\r\n`,
    )
  const rows: [fields: string, flags: string | undefined][] = [
    ...headerRows.map(([said, flags]): [string, string | undefined] => [`traceparent: ${said}\r\n`, flags]),
    [`TraceParent: ${callerContext}\r\n`, '01'],
    [`traceparent: ${callerContext}\r\ntraceparent: ${callerContext}\r\n`, undefined],
    [`traceparent: ${callerContext}\r\nTRACEPARENT:\r\n`, undefined],
    [`traceparent: cc-${theirTrace}-${theirSpan}-01-a\r\ntraceparent: b\r\n`, undefined],
  ]
  for (const [i, [fields, flags]] of rows.entries()) {
    scene.platform.calls.length = 0
    const { answers } = await say(fields)
    assert.equal(answers[0]?.status, 200, fields)
    const [, traceId, , sent] = partsOf(sentBy(scene)[0])
    const { traceId: logged } = await answeredEvent(service, i + 1)
    assert.equal(logged, traceId)
    if (flags === undefined) assert.notEqual(traceId, theirTrace, fields)
    else assert.deepEqual([traceId, sent], [theirTrace, flags], fields)
  }
})
