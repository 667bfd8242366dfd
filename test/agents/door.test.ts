import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRefusal, type Manner } from '../ground/raw-client.ts'
import { startRaw } from '../ground/raw-service.ts'
import { send } from '../ground/scripted-platform.ts'

const message = (method: string, params: object = {}, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
const list = message('tools/list')
const callOf = (name: string, args: object) => message('tools/call', { name, arguments: args })
const chunked = 'Transfer-Encoding: chunked\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

async function startDoor(t: TestContext) {
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

test('bytes of more than one meaning are refused as elsewhere, and the socket is let go', async (t) => {
  const { say, post, auth, get, whoami } = await startDoor(t)
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

test('a body may come in chunks, or letter by letter, and the next request follows it on the same socket', async (t) => {
  const { say, post, whoami } = await startDoor(t)
  const inChunks = `${post(chunk(list.slice(0, 7)) + chunk(list.slice(7)), chunked)}0\r\n\r\n`
  const drop = [post('', `Content-Length: ${list.length}\r\n`), ...list.split(''), whoami]
  for (const bytes of [[inChunks + whoami], drop]) {
    const { answers, rest, closed } = await say(bytes, { answers: 2, pauseMs: bytes.length > 1 ? 2 : 0 })
    assert.deepEqual([answers.map(({ status }) => status), rest, closed], [[200, 200], '', false])
    assert.equal(answers[0]?.json.result.tools.length, 5)
  }
})

test('pipelined requests are answered in order, each with its own', async (t) => {
  const { say, post, whoami } = await startDoor(t)
  const bytes = [post(message('ping', {}, 7)), whoami, post(message('nothing', {}, 8)), post(list), whoami].join('')
  const { answers, closed } = await say(bytes, { answers: 5 })
  assert.deepEqual([answers[0]?.json.id, answers[2]?.json.id, answers[2]?.json.error.code], [7, 8, -32_601])
  assert.deepEqual([answers.length, answers[1]?.json.name, answers[4]?.json.name, closed], [5, 'test', 'test', false])
})

test('garbage behind a good request is answered after it', async (t) => {
  const { say, post } = await startDoor(t)
  for (const garbage of ['what is this\r\n\r\n', post('zz\r\n', chunked)]) {
    const { answers, closed } = await say(post(list) + garbage, { answers: 2 })
    assert.deepEqual([answers.map(({ status }) => status), closed], [[200, 400], true])
  }
})

test('without a good key a body is not waited for, and nothing tells that agents are answered here', async (t) => {
  const { say, post, auth, get } = await startDoor(t)
  const wrong = auth.replace(/.\r\n$/, '~\r\n')
  const bytes = post('', 'Content-Length: 500\r\n').replace(auth, wrong)
  const { answers, closed, tookMs } = await say(bytes)
  assert.deepEqual([answers[0]?.status, closed], [401, true])
  assert.ok(tookMs < 1_000)
  const elsewhere = await say(get('/v1/nothing').replace(auth, wrong))
  const plain = (json: any) => ({ ...json.error, requestId: '' })
  assert.deepEqual(plain(answers[0]?.json), plain(elsewhere.answers[0]?.json))
})

test('half a body and then silence is refused in time', async (t) => {
  const { say, post } = await startDoor(t)
  const bytes = post(list.slice(0, 9), `Content-Length: ${list.length}\r\n`)
  const { answers, closed, tookMs } = await say(bytes, { mostMs: 9_000 })
  assert.deepEqual([answers[0]?.status, answers[0]?.json.error.code, closed], [408, 'request_timeout', true])
  assert.ok(tookMs > 4_000 && tookMs < 7_000)
})

test('who leaves in the middle of his body leaves nothing behind', async (t) => {
  const { say, post, service, open } = await startDoor(t)
  const bytes = post(list.slice(0, 9), `Content-Length: ${list.length}\r\n`)
  const { answers, closed } = await say(bytes, { halfClose: true, mostMs: 7_000 })
  assert.ok(closed)
  for (const answer of answers) checkRefusal(answer)
  await say(bytes, { mostMs: 50 })
  await sleep(100)
  assert.equal(await open(), 0)
  assert.ok(!service.events.some(({ kind }) => kind === 'failed'))
})

test('a caller who has said all that he will say still hears the answer', async (t) => {
  const { say, post } = await startDoor(t)
  const call = callOf('read', { operation: 'listApps', connection: 'acme' })
  const { answers } = await say(post(call), { halfClose: true })
  assert.deepEqual(answers[0]?.json.result.structuredContent.rows, [])
})

test('nothing but POST is taken, and the answer says so', async (t) => {
  const { say, get, auth } = await startDoor(t)
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS']) {
    const manner: Manner = { head: method === 'HEAD' }
    const { answers } = await say(get('/mcp').replace('GET', method), manner)
    assert.deepEqual([answers[0]?.status, answers[0]?.headers.get('allow')], [405, 'POST'], method)
    const stranger = await say(get('/mcp').replace('GET', method).replace(auth, ''), manner)
    assert.equal(stranger.answers[0]?.status, 401, method)
  }
  const page = await say(get('/errors/method_not_allowed.md'))
  assert.match(page.answers[0]?.body ?? '', /Agents ask by POST, at `\/mcp` alone\./)
})

test('a page of another origin is refused, and one of this host is not', async (t) => {
  const { say, post } = await startDoor(t)
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

test('every answer is JSON, whatever the caller says that it takes', async (t) => {
  const { say, post } = await startDoor(t)
  const field = 'Accept: application/json, text/event-stream\r\n'
  for (const accept of ['Accept: application/json\r\n', 'Accept: */*\r\n', 'Accept: text/event-stream\r\n', '']) {
    const { answers } = await say(post(list).replace(field, accept))
    assert.equal(answers[0]?.status, 200, `${accept}: ${answers[0]?.body}`)
    assert.match(String(answers[0]?.headers.get('content-type')), /^application\/json/)
    assert.equal(answers[0]?.json.result.tools.length, 5)
  }
})

test('nobody gets a stream: what would be one is refused at once', async (t) => {
  const { say, post } = await startDoor(t)
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
