import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRefusal, type RawResult } from '../../../base/test/raw-client.ts'
import { pagePath, startRaw } from '../support/raw-service.ts'

const statuses = ({ answers }: RawResult) => answers.map(({ status }) => status)

test('a malformed body gets one error response, in our format', async (t) => {
  const { say, auth } = await startRaw(t)
  const post = (chunks: string, key = auth) =>
    `POST ${pagePath} HTTP/1.1\r\nHost: localhost\r\n${key}Transfer-Encoding: chunked\r\n\r\n${chunks}`
  const chunks = {
    'a size that is none': 'zz\r\nhello\r\n',
    hexadecimal: '0x5\r\nhello\r\n',
    negative: '-1\r\nhello\r\n',
  }
  for (const [what, chunk] of Object.entries({
    ...chunks,
    huge: `${'f'.repeat(17)}\r\n`,
    extended: `5;${'e'.repeat(20_000)}\r\nhello\r\n`,
  }))
    await t.test(what, async () => {
      for (const bytes of [post(chunk), post(chunk, '')]) {
        const { answers, rest, closed } = await say(bytes, { answers: 2, mostMs: 1_000 })
        assert.deepEqual([answers.length, rest, closed], [1, '', true])
        assert.ok([400, 401, 405, 413].includes(answers[0]!.status))
        checkRefusal(answers[0]!, bytes)
      }
    })
})

test('a caller who half-closed the socket is answered', async (t) => {
  const { say, get, open } = await startRaw(t)
  for (const url of [pagePath, '/healthz', '/v1/nothing']) {
    const { answers, closed } = await say(get(url), { halfClose: true })
    assert.deepEqual([answers.length, closed], [1, true], url)
  }
  const two = await say(get(pagePath).repeat(2), { halfClose: true, answers: 2 })
  assert.deepEqual(statuses(two), [200, 200])
  await sleep(30)
  assert.equal(await open(), 0)
})

test('only GET and HEAD are answered, and every other method is rejected after the key is checked', async (t) => {
  const { say, auth, platform } = await startRaw(t)
  for (const method of METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method)))
    await t.test(method, async () => {
      const line = `${method} ${pagePath} HTTP/1.1\r\nHost: localhost\r\n`
      const [known] = (await say(`${line}${auth}\r\n`, { quietMs: 5 })).answers
      assert.deepEqual([known?.status, known?.headers.get('allow')], [405, 'GET, HEAD'])
      const [stranger] = (await say(`${line}\r\n`, { quietMs: 5 })).answers
      assert.deepEqual([stranger?.status, stranger?.json.error.code], [401, 'key_missing'])
    })
  assert.equal(platform.calls.length, 0)
})

test('a request without a key gets 401, whatever its content type', async (t) => {
  const { say } = await startRaw(t)
  for (const fields of ['Content-Type: garbage', 'Content-Type: ;;;', 'Content-Type: application/json', 'X-A: b'])
    await t.test(fields, async () => {
      const { answers } = await say(
        `POST ${pagePath} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\nContent-Length: 5\r\n\r\nhello`,
      )
      assert.deepEqual([answers[0]?.status, answers[0]?.json.error.code], [401, 'key_missing'])
    })
})

test('an absolute target is read as its path, and any other form is not found', async (t) => {
  const { say, get, auth, platform } = await startRaw(t)
  const rows: [string, number][] = [
    [get(`http://localhost${pagePath}`), 200],
    [get(`HTTPS://LOCALHOST${pagePath}`), 200],
    [get(`https://other.example${pagePath}`), 421],
    [get('http://localhost'), 404],
    [get('http://localhost?a'), 404],
    [get(`ftp://x${pagePath}`), 404],
    [get(`//x${pagePath}`), 404],
    [get(`/.${pagePath}`), 404],
    [get(`/x/..${pagePath}`), 404],
    [get(pagePath.replace('/v1', '/%761')), 404],
    [get(`${pagePath}/`), 404],
    [get(pagePath.toUpperCase()), 404],
    [get('*'), 404],
    [`OPTIONS * HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n`, 404],
    ['OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', 401],
    [get(pagePath, 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), 200],
    [get(pagePath, 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'), 200],
    [get(pagePath, '', '1.0'), 200],
    [`HEAD /v1/nothing HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n`, 404],
  ]
  for (const [bytes, status] of rows)
    await t.test(bytes.split('\r\n', 1)[0] ?? '', async () => {
      const { answers, rest } = await say(bytes, { quietMs: 15, head: bytes.startsWith('HEAD') })
      assert.deepEqual([answers.map((a) => a.status), rest], [[status], ''])
    })
  for (const call of platform.calls) assert.equal(call.path, '/v1/subscriptions/s1/offerCodes')
})

test('slow callers are disconnected within 8 seconds, and no socket is left', { timeout: 12_000 }, async (t) => {
  const { say, get, auth, service, open } = await startRaw(t)
  const drops = `GET ${pagePath} HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${'s'.repeat(200)}`.split('')
  const manner = { mostMs: 11_000, answers: 2 }
  const heard = await Promise.all([
    say(drops, { ...manner, pauseMs: 100 }),
    say([], manner),
    say(get(pagePath).slice(0, -2), manner),
    say([`${get('/healthz')}GET /`], { ...manner, answers: 3 }),
  ])
  for (const { closed, tookMs } of heard) assert.ok(closed && tookMs < 8_000, `${tookMs} ms`)
  for (const { answers } of [heard[0], heard[2]]) {
    assert.deepEqual(
      answers.map((a) => a.status),
      [408],
    )
    checkRefusal(answers[0]!)
  }
  // these neither read nor close, so an answer alone would not free their sockets
  const silent = Array.from({ length: 50 }, () => {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.pause().write(`GET / HTTP/1.1\r\nHost: localhost\r\n${auth}X : y\r\n\r\n`)
    return socket
  })
  await sleep(500)
  assert.equal(await open(), 0)
  for (const socket of silent) socket.destroy()
})
