import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRefusal, type RawOptions, sendRaw } from '../../../base/test/raw-client.ts'
import { account, startManager, token } from './manager.ts'

async function startRaw(t: TestContext) {
  const manager = await startManager(t)
  const auth = `Authorization: Bearer ${token}\r\n`
  return {
    ...manager,
    auth,
    say: async (bytes: string | readonly string[], manner?: RawOptions) => {
      const heard = await sendRaw(manager.port, bytes, manner)
      manager.heard.push(...heard.answers.map(({ body }) => body))
      return heard
    },
    get: (path: string, fields = auth) => `GET /operator/v1${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`,
    post: (path: string, body: string, fields = `Content-Length: ${Buffer.byteLength(body)}\r\n`) =>
      `POST /operator/v1${path} HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Type: application/json\r\n${fields}\r\n${body}`,
  }
}

const wish = JSON.stringify({ name: 'raw', connections: ['*'] })
const chunked = 'Transfer-Encoding: chunked\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

test('ambiguous bytes are refused as at the public endpoint, and the socket is closed', async (t) => {
  const { say, get, post, auth, ask } = await startRaw(t)
  const rows: [what: string, bytes: string, status: number][] = [
    ['two Hosts', `GET /operator/v1/keys HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n${auth}\r\n`, 400],
    ['no Host', `GET /operator/v1/keys HTTP/1.1\r\n${auth}\r\n`, 400],
    ['two tokens', get('/keys', auth + auth), 400],
    ['content on a GET', `${get('/keys', `${auth}Content-Length: 2\r\n`)}{}`, 400],
    ['chunks on a GET', `${get('/keys', auth + chunked)}0\r\n\r\n`, 400],
    [
      'content on a DELETE',
      `DELETE /operator/v1/connections/acme HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Length: 2\r\n\r\n{}`,
      400,
    ],
    ['a length and chunks', post('/keys', chunk(wish), `Content-Length: 5\r\n${chunked}`), 400],
    ['two lengths', post('/keys', wish, 'Content-Length: 5\r\nContent-Length: 6\r\n'), 400],
    ['a wrong chunk', post('/keys', 'zz\r\n{}\r\n', chunked), 400],
    ['a wrong type', post('/keys', wish).replace('application/json', 'text/html'), 400],
    ['HTTP/2.0', get('/keys').replace('HTTP/1.1', 'HTTP/2.0'), 505],
    ['an expectation', post('/keys', '', 'Content-Length: 9\r\nExpect: 100-continue\r\n'), 417],
    ['a target over 8 kB', get(`/keys?x=${'q'.repeat(8_200)}`), 414],
    ['101 fields', get('/keys', auth + Array.from({ length: 99 }, (_, i) => `X-${i}: y\r\n`).join('')), 431],
    ['a body of 10 MB', post('/keys', '{', 'Content-Length: 10000000\r\n') + ' '.repeat(1_200_000), 413],
    ['a body of 70 kB in chunks', post('/keys', chunk(' '.repeat(70_000)) + chunk(wish), chunked) + '0\r\n\r\n', 413],
  ]
  for (const [what, bytes, status] of rows)
    await t.test(`${what} is ${status}`, async () => {
      const { answers, rest, closed } = await say(bytes + get('/vault'), { answers: 2, mostMs: 2_000 })
      assert.deepEqual([answers[0]?.status, answers.length, rest, closed], [status, 1, '', true], answers[0]?.body)
      checkRefusal(answers[0]!, bytes)
    })
  assert.equal((await ask('GET', '/keys')).json.items.length, 1, 'none of them made a key')
})

test('a body may come in chunks, or letter by letter, and the next request follows it', async (t) => {
  const { say, get, post } = await startRaw(t)
  const inChunks = `${post('/keys', chunk(wish.slice(0, 7)) + chunk(wish.slice(7)), chunked)}0\r\n\r\n`
  const drop = [post('/keys', '', `Content-Length: ${wish.length}\r\n`), ...wish.split(''), get('/vault')]
  for (const bytes of [[inChunks + get('/vault')], drop]) {
    const { answers, closed } = await say(bytes, { answers: 2, pauseMs: bytes.length > 1 ? 2 : 0 })
    assert.deepEqual([answers.map(({ status }) => status), closed], [[201, 200], false])
  }
})

test('pipelined requests are answered in order', async (t) => {
  const { say, get, post, audit } = await startRaw(t)
  const bytes = [post('/keys', wish), get('/vault'), post('/keys', '{}'), get('/audit'), post('/keys', wish)].join('')
  const { answers } = await say(bytes, { answers: 5 })
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 200, 400, 200, 201],
  )
  assert.equal((await audit({ act: 'keys.create' })).length, 4)
})

test('garbage behind a good request is answered after it', async (t) => {
  const { say, post } = await startRaw(t)
  for (const garbage of ['what is this\r\n\r\n', post('/keys', 'zz\r\n', chunked)]) {
    const { answers, closed } = await say(post('/keys', wish) + garbage, { answers: 2 })
    assert.deepEqual([answers.map(({ status }) => status), closed], [[201, 400], true])
  }
})

test('without the right token a body is not waited for', async (t) => {
  const { say, post } = await startRaw(t)
  const bytes = post('/keys', '', 'Content-Length: 500\r\n').replace(token, 'not-the-right-token')
  const { answers, closed, tookMs } = await say(bytes)
  assert.deepEqual([answers[0]?.status, closed], [401, true])
  assert.ok(tookMs < 1_000)
})

test('half a body and then silence is refused in time, and nothing is done', async (t) => {
  const { say, post, audit } = await startRaw(t)
  const bytes = post('/keys', wish.slice(0, 9), `Content-Length: ${wish.length}\r\n`)
  const { answers, closed, tookMs } = await say(bytes, { mostMs: 9_000 })
  assert.deepEqual([answers[0]?.status, answers[0]?.json.error.code, closed], [408, 'request_timeout', true])
  assert.ok(tookMs > 4_000 && tookMs < 7_000)
  assert.deepEqual(
    (await audit({ act: 'keys.create' })).map(({ outcome }) => outcome),
    ['denied', 'done'],
  )
})

test('a caller who leaves in the middle of a body leaves nothing behind', async (t) => {
  const { say, post, service, ask } = await startRaw(t)
  const bytes = post('/keys', wish.slice(0, 9), `Content-Length: ${wish.length}\r\n`)
  const { answers, closed } = await say(bytes, { halfClose: true, answers: 2, mostMs: 7_000 })
  assert.ok(closed)
  for (const answer of answers) checkRefusal(answer)
  await say(bytes, { mostMs: 50 })
  await sleep(100)
  assert.equal((await ask('GET', '/keys')).json.items.length, 1)
  assert.ok(!service.events.some(({ kind }) => kind === 'failed'))
})

test('many at once each get their own answer', async (t) => {
  const { ask } = await startRaw(t)
  const ids = Array.from({ length: 40 }, (_, i) => `studio-${i}`)
  const answers = await Promise.all(
    ids.map((id) => ask('POST', '/connections', { body: { id, ...account, check: false } })),
  )
  assert.deepEqual(
    answers.map(({ status, json }) => [status, json.id]),
    ids.map((id) => [201, id]),
  )
  const twice = await Promise.all([1, 2, 3].map(() => ask('POST', '/connections', { body: { id: 'one', ...account } })))
  assert.deepEqual(
    twice.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409, 409],
  )
})
