import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRefusal, type RawOptions } from '../../../base/test/raw-client.ts'
import { startRaw } from '../support/raw-service.ts'
import { send } from '../support/scripted-platform.ts'

const message = (method: string, params: object = {}, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
const list = message('tools/list')
const callOf = (name: string, args: object) => message('tools/call', { name, arguments: args })
const chunked = 'Transfer-Encoding: chunked\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

async function startRawAgent(t: TestContext) {
  const raw = await startRaw(t)
  raw.platform.script = (_, res) => send(res, { data: [], links: {} })
  const type = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
  return {
    ...raw,
    post: (body: string, fields = `Content-Length: ${Buffer.byteLength(body)}\r\n`, path = '/mcp') =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${raw.auth}${type}${fields}\r\n${body}`,
    whoami: raw.get('/v1/whoami'),
  }
}

test('ambiguous request bytes are refused as on other routes, and the socket is closed', async (t) => {
  const { say, post, auth, get, whoami } = await startRawAgent(t)
  const rows: [what: string, bytes: string, status: number][] = [
    ['two Hosts', post(list).replace('Host: localhost', 'Host: localhost\r\nHost: y'), 400],
    ['no Host', post(list).replace('Host: localhost\r\n', ''), 400],
    ['two keys', post(list).replace(auth, auth + auth), 400],
    ['content on a GET', `${get('/mcp', 'Content-Length: 2\r\n')}{}`, 400],
    ['chunks on a GET', `${get('/mcp', chunked)}0\r\n\r\n`, 400],
    ['a length and chunks', post(chunk(list), `Content-Length: 5\r\n${chunked}`), 400],
    ['two lengths', post(list, 'Content-Length: 5\r\nContent-Length: 6\r\n'), 400],
    ['a wrong chunk', post('zz\r\n{}\r\n', chunked), 400],
    ['HTTP/2.0', post(list).replace('HTTP/1.1', 'HTTP/2.0'), 505],
    ['an expectation', post('', 'Content-Length: 9\r\nExpect: 100-continue\r\n'), 417],
    ['a target over 8 kB', post(list, undefined, `/mcp?${'q'.repeat(8_200)}`), 414],
    ['101 fields', post(list).replace('Host: localhost', `Host: localhost${'\r\nX-A: y'.repeat(100)}`), 431],
    ['another type', post(list).replace('application/json\r\nA', 'text/plain\r\nA'), 400],
    ['no type', post(list).replace('Content-Type: application/json\r\n', ''), 400],
    ['a coding', post(list, `Content-Length: ${list.length}\r\nContent-Encoding: gzip\r\n`), 400],
    ['what is no JSON', post('{"jsonrpc":'), 400],
    ['a list', post(`[${list}]`), 400],
    ['a member __proto__', post('{"__proto__":{}}'), 400],
    ['a body of 10 MB', post('{', 'Content-Length: 10000000\r\n') + ' '.repeat(1_200_000), 413],
    ['a body of 70 kB in chunks', `${post(chunk(' '.repeat(70_000)) + chunk(list), chunked)}0\r\n\r\n`, 413],
    ['a query', post(list, undefined, '/mcp?key=x'), 400],
    ['another path', post(list, undefined, '/mcp/'), 404],
    ['another page', post(list, undefined, '/healthz'), 405],
    ['a route', post(list, undefined, '/v1/whoami'), 405],
  ]
  for (const [what, bytes, status] of rows)
    await t.test(`${what} is ${status}`, async () => {
      const { answers, rest, closed } = await say(bytes + whoami, { answers: 2, mostMs: 2_000 })
      assert.deepEqual([answers[0]?.status, answers.length, rest, closed], [status, 1, '', true], answers[0]?.body)
      checkRefusal(answers[0]!)
    })
})

test('a body may arrive in chunks or byte by byte, and the socket takes the next request', async (t) => {
  const { say, post, whoami } = await startRawAgent(t)
  const inChunks = `${post(chunk(list.slice(0, 7)) + chunk(list.slice(7)), chunked)}0\r\n\r\n`
  const drop = [post('', `Content-Length: ${list.length}\r\n`), ...list.split(''), whoami]
  for (const bytes of [[inChunks + whoami], drop]) {
    const { answers, rest, closed } = await say(bytes, { answers: 2, pauseMs: bytes.length > 1 ? 2 : 0 })
    assert.deepEqual([answers.map(({ status }) => status), rest, closed], [[200, 200], '', false])
    assert.equal(answers[0]?.json.result.tools.length, 5)
  }
})

test('pipelined requests get their answers in order', async (t) => {
  const { say, post, whoami } = await startRawAgent(t)
  const bytes = [post(message('ping', {}, 7)), whoami, post(message('nothing', {}, 8)), post(list), whoami].join('')
  const { answers, closed } = await say(bytes, { answers: 5 })
  assert.deepEqual([answers[0]?.json.id, answers[2]?.json.id, answers[2]?.json.error.code], [7, 8, -32_601])
  assert.deepEqual([answers.length, answers[1]?.json.name, answers[4]?.json.name, closed], [5, 'test', 'test', false])
})

test('garbage after a valid request is refused after the answer to that request', async (t) => {
  const { say, post } = await startRawAgent(t)
  for (const garbage of ['what is this\r\n\r\n', post('zz\r\n', chunked)]) {
    const { answers, closed } = await say(post(list) + garbage, { answers: 2 })
    assert.deepEqual([answers.map(({ status }) => status), closed], [[200, 400], true])
  }
})

test('a request with a wrong key is rejected with 401 before its body arrives, exactly as on an unknown path', async (t) => {
  const { say, post, auth, get } = await startRawAgent(t)
  const wrong = auth.replace(/.\r\n$/, '~\r\n')
  const bytes = post('', 'Content-Length: 500\r\n').replace(auth, wrong)
  const { answers, closed, tookMs } = await say(bytes)
  assert.deepEqual([answers[0]?.status, closed], [401, true])
  assert.ok(tookMs < 1_000)
  const elsewhere = await say(get('/v1/nothing').replace(auth, wrong))
  const plain = (json: any) => ({ ...json.error, requestId: '' })
  assert.deepEqual(plain(answers[0]?.json), plain(elsewhere.answers[0]?.json))
})

test('a body that stops halfway is refused with 408 after about 5 seconds', async (t) => {
  const { say, post } = await startRawAgent(t)
  const bytes = post(list.slice(0, 9), `Content-Length: ${list.length}\r\n`)
  const { answers, closed, tookMs } = await say(bytes, { mostMs: 9_000 })
  assert.deepEqual([answers[0]?.status, answers[0]?.json.error.code, closed], [408, 'request_timeout', true])
  assert.ok(tookMs > 4_000 && tookMs < 7_000)
})

test('a caller who disconnects in the middle of a body leaves no open socket and no failure', async (t) => {
  const { say, post, service, open } = await startRawAgent(t)
  const bytes = post(list.slice(0, 9), `Content-Length: ${list.length}\r\n`)
  const { answers, closed } = await say(bytes, { halfClose: true, answers: 2, mostMs: 7_000 })
  assert.ok(closed)
  for (const answer of answers) checkRefusal(answer)
  await say(bytes, { mostMs: 50 })
  await sleep(100)
  assert.equal(await open(), 0)
  assert.ok(!service.events.some(({ kind }) => kind === 'failed'))
})

test('a caller who closes their sending half after the request still gets the answer', async (t) => {
  const { say, post } = await startRawAgent(t)
  const call = callOf('read', { operation: 'listApps', connection: 'acme' })
  const { answers } = await say(post(call), { halfClose: true })
  assert.deepEqual(answers[0]?.json.result.structuredContent.rows, [])
})

test('methods other than POST are rejected with 405 and an Allow field', async (t) => {
  const { say, get, auth } = await startRawAgent(t)
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS']) {
    const manner: RawOptions = { head: method === 'HEAD' }
    const { answers } = await say(get('/mcp').replace('GET', method), manner)
    assert.deepEqual([answers[0]?.status, answers[0]?.headers.get('allow')], [405, 'POST'], method)
    const stranger = await say(get('/mcp').replace('GET', method).replace(auth, ''), manner)
    assert.equal(stranger.answers[0]?.status, 401, method)
  }
  const page = await say(get('/errors/method_not_allowed.md'))
  assert.match(page.answers[0]?.body ?? '', /Only agents send POST, to `\/mcp`\./)
})

test('a page of another origin is rejected with 403, and one of the same host is answered', async (t) => {
  const { say, post } = await startRawAgent(t)
  const from = (origin: string) => post(list).replace('Host: localhost', `Host: localhost\r\nOrigin: ${origin}`)
  for (const origin of [
    'http://evil.example',
    'null',
    'http://x.evil.example',
    'http://x:81',
    'file://',
    'http://x/',
  ]) {
    const { answers } = await say(from(origin))
    assert.deepEqual([answers[0]?.status, answers[0]?.json.error.code], [403, 'origin_not_allowed'], origin)
    assert.equal(answers[0]?.headers.get('access-control-allow-origin'), undefined)
  }
  assert.equal((await say(from('http://localhost'))).answers[0]?.status, 200)
})

test('every answer is JSON, with any Accept field', async (t) => {
  const { say, post } = await startRawAgent(t)
  const field = 'Accept: application/json, text/event-stream\r\n'
  for (const accept of ['Accept: application/json\r\n', 'Accept: */*\r\n', 'Accept: text/event-stream\r\n', '']) {
    const { answers } = await say(post(list).replace(field, accept))
    assert.equal(answers[0]?.status, 200, `${accept}: ${answers[0]?.body}`)
    assert.match(String(answers[0]?.headers.get('content-type')), /^application\/json/)
    assert.equal(answers[0]?.json.result.tools.length, 5)
  }
})

test('a request for a stream is refused at once', async (t) => {
  const { say, post } = await startRawAgent(t)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const bytes = post(
    message('subscriptions/listen', { _meta: meta, notifications: { toolsListChanged: true } }),
  ).replace(
    'Host: localhost',
    'Host: localhost\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen',
  )
  const { answers, tookMs } = await say(bytes)
  assert.match(String(answers[0]?.headers.get('content-type')), /^application\/json/)
  assert.ok(answers[0]?.json.error)
  assert.ok(tookMs < 2_000)
})
