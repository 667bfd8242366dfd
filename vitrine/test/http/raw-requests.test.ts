import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRefusal } from '../../../base/test/raw-client.ts'
import { pagePath as path, startRaw } from '../support/raw-service.ts'

test('ambiguous bytes get one error, a closed socket and no platform call', async (t) => {
  const { say, get, auth, platform, open } = await startRaw(t)
  const good = get(path)
  const post = (fields: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${auth}${fields}\r\n${body}`
  const line = (text: string) => `${text}\r\nHost: localhost\r\n${auth}\r\n`
  const long = (n: number) => `?name=${'q'.repeat(n)}`
  const rows: [what: string, bytes: string | string[], ...statuses: number[]][] = [
    ['two Hosts', `GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n${auth}\r\n`, 400],
    ['two equal Hosts', `GET ${path} HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n${auth}\r\n`, 400],
    ['two keys', get(path, auth), 400],
    ['two keys, one of them none', get(path, 'authorization: Basic eDp5\r\n'), 400],
    ['no Host', `GET ${path} HTTP/1.1\r\n${auth}\r\n`, 400],
    ['no version', `GET ${path}\r\n\r\n`, 400, 505],
    ...['0.9', '2.0', '1.2', '3.0', '9.9'].map((v): [string, string, number] => [`HTTP/${v}`, get(path, '', v), 505]),
    ...['HTTP/01.1', 'http/1.1', 'HTTP/1', 'HTTP/1.1.1', 'HTTP/1.1 x', 'HTTPS/1.1', 'HTTP/ 1.1', 'ICE/1.0'].map(
      (v): [string, string, number, number] => [v, line(`GET ${path} ${v}`), 400, 505],
    ),
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 505],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + 'r'.repeat(200), 400],
    ['bare LF', good.replaceAll('\r\n', '\n'), 400],
    ['bare LF behind the fields', `${good.slice(0, -2)}\n`, 400],
    ['bare CR', good.replaceAll('\r\n', '\r'), 400],
    ['CR CR LF', good.replaceAll('\r\n', '\r\r\n'), 400],
    ['a folded field', get(path, 'X-A: b\r\n c\r\n'), 400],
    ['a blank before the colon', get(path, 'X-A : b\r\n'), 400],
    ['a field without a name', get(path, ': b\r\n'), 400],
    ['NUL in a field', get(path, 'X-A: b\0c\r\n'), 400],
    ['a length', get(path, 'Content-Length: 5\r\n'), 400],
    ['a length and its body', `${get(path, 'Content-Length: 5\r\n')}hello${good}`, 400],
    ['a length that hides a request', `${get(path, `Content-Length: ${good.length}\r\n`)}${good}`, 400],
    ['chunks', `${get(path, 'Transfer-Encoding: chunked\r\n')}0\r\n\r\n${good}`, 400],
    ['an unknown transfer coding', get(path, 'Transfer-Encoding: x\r\n'), 400],
    ['CL.TE', post(`Content-Length: 6\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${good}`), 400],
    ['TE.CL', post(`Transfer-Encoding: chunked\r\nContent-Length: 4\r\n`, `5c\r\n${good}0\r\n\r\n`), 400],
    ['TE.TE', post(`Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n`, `0\r\n\r\n${good}`), 400],
    ['TE with a tab', post(`Transfer-Encoding:\tchunked\r\nTransfer-Encoding: identity\r\n`, `0\r\n\r\n`), 400],
    ['two lengths', post('Content-Length: 0\r\nContent-Length: 5\r\n', `hello${good}`), 400],
    ['a list of lengths', post('Content-Length: 5, 5\r\n', 'hello'), 400],
    ['a negative length', post('Content-Length: -1\r\n', ''), 400],
    ['a signed length', post('Content-Length: +5\r\n', 'hello'), 400],
    ['HTTP/1.0 with chunks', get(path, 'Transfer-Encoding: chunked\r\n', '1.0'), 400],
    ['Expect with a body never sent', post('Content-Length: 5\r\nExpect: 100-continue\r\n', ''), 417],
    ['Expect on a GET', get(path, 'Expect: 100-continue\r\n'), 417],
    ['an unknown expectation', get(path, 'Expect: wonders\r\n'), 417],
    ['101 fields', get(path, Array.from({ length: 99 }, (_, i) => `X-${i}: y\r\n`).join('')), 431],
    ['3,000 fields', get(path, 'a:b\r\n'.repeat(2_990)), 431],
    ['a field of 17 kB', get(path, `X-A: ${'h'.repeat(17_000)}\r\n`), 431],
    ['a field of 17 kB, piece by piece', [get(path).slice(0, -2), `X-A: ${'h'.repeat(17_000)}`, '\r\n\r\n'], 431],
    ['fields of 300 kB', get(path, `X-A: ${'h'.repeat(300_000)}\r\n`), 431],
    [
      'a key of 17 kB',
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'k'.repeat(17_000)}\r\n\r\n`,
      431,
    ],
    ['a target over 8 kB', get(path + long(8_200)), 414],
    ['a target over 20 kB', get(path + long(20_000)), 414],
    [
      'a target over 20 kB, piece by piece',
      [`GET ${path}${long(12_000)}`, 'q'.repeat(8_000), ' HTTP/1.1\r\nHost: localhost\r\n\r\n'],
      414,
    ],
    ['a target of 300 kB', get(path + long(300_000)), 414],
    ['a blank in the target', get(`${path} x`), 400],
    ['a fragment', get(`${path}#x`), 400],
    [
      'a good request behind two Hosts',
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n${auth}\r\n${good}`,
      400,
    ],
    ['a good request behind HTTP/2.0', get(path, '', '2.0') + good, 505],
    ['an unknown method', line(`FETCH ${path} HTTP/1.1`), 400],
    ['a method in small letters', line(`get ${path} HTTP/1.1`), 400],
    ['CONNECT', `CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n${auth}\r\n`, 400, 405],
    ['a line alone', '\r\n\r\n\r\nhello\r\n\r\n', 400],
  ]
  for (const [what, bytes, ...statuses] of rows)
    await t.test(`${what} is ${statuses.join(' or ')}`, async () => {
      platform.calls.length = 0
      const { answers, rest, closed } = await say(bytes, {
        pauseMs: Array.isArray(bytes) ? 30 : 0,
        answers: 2,
        mostMs: 1_500,
      })
      const [answer] = answers
      assert.ok(answer, 'an answer comes')
      assert.ok(statuses.includes(answer.status), `${answer.status} ${answer.body}`)
      checkRefusal(answer, [bytes].flat().join(''))
      assert.deepEqual([answers.length, rest, closed], [1, '', true], 'one answer, and the socket is let go')
      assert.equal(platform.calls.length, 0, 'nothing behind the broken request was served')
    })
  await sleep(50)
  assert.equal(await open(), 0)
})

test('NUL and high bytes anywhere in the request line are rejected', async (t) => {
  const { say, get, platform } = await startRaw(t)
  const line = get('/v1/connections/acme/apps').split('\r\n', 1)[0] ?? ''
  const rest = get('/v1/connections/acme/apps').slice(line.length)
  for (const byte of ['\0', '\x01', '\t', '\x7f', '\x80', '\xff', '\xc3\xa9'])
    await t.test(JSON.stringify(byte), async () => {
      const heard = await Promise.all(
        Array.from({ length: line.length + 1 }, (_, at) =>
          say(line.slice(0, at) + byte + line.slice(at) + rest, { quietMs: 5 }),
        ),
      )
      for (const [at, { answers, rest: more }] of heard.entries()) {
        assert.equal(answers.length, 1, `one answer at ${at}`)
        assert.ok([400, 505].includes(answers[0]?.status ?? 0), `${answers[0]?.status} at ${at}`)
        assert.equal(more, '')
        checkRefusal(answers[0]!)
      }
    })
  assert.equal(platform.calls.length, 0)
})

test('bytes beyond ASCII in method, target or version are never mistaken for others', async (t) => {
  const { say, get, platform } = await startRaw(t)
  const bytes = get('/v1/connections/acme/apps')
  const end = bytes.indexOf('\r\n')
  const high = Array.from({ length: 128 }, (_, i) => String.fromCharCode(128 + i))
  for (const at of [0, 2, 3, 8, end - 9, end - 8, end - 1])
    await t.test(`in place of ${JSON.stringify(bytes[at])}, the byte ${at}`, async () => {
      const heard = await Promise.all(
        ['\0', ...high].map((byte) => say(bytes.slice(0, at) + byte + bytes.slice(at + 1), { quietMs: 5 })),
      )
      for (const { answers, rest } of heard) {
        assert.deepEqual([answers.length, rest], [1, ''])
        assert.ok([400, 505].includes(answers[0]?.status ?? 0), `${answers[0]?.status}`)
        checkRefusal(answers[0]!)
      }
    })
  assert.equal(platform.calls.length, 0)
})

test('ids with path traversal or invalid escapes are not found and cost no platform call', async (t) => {
  const { say, get, platform } = await startRaw(t)
  const ids = [
    '.',
    '..',
    '%2e',
    '%2e%2e',
    '.%2E',
    '%2e.',
    '..%2f..',
    '%2e%2e%2fapps',
    'a%2f..',
    'a%2f..%2fb',
    '%00',
    'a%00',
    '%0a',
  ]
  ids.push('%7f', '%c2%85', '%zz', '%', '%2', 'a%', '%c3', '%ff', '%ed%a0%80', '%c0%ae', '', '/', '//', 'a/b', '..;/x')
  for (const id of ids)
    await t.test(`the id ${id}`, async () => {
      for (const url of [
        `/apps/${id}/versions/ids`,
        `/background-assets/${id}`,
        `/apps/a1/app-infos/${id}/territory-age-ratings`,
      ]) {
        const { answers, rest } = await say(get(`/v1/connections/acme${url}`), { quietMs: 5 })
        assert.deepEqual([answers.length, answers[0]?.status, rest], [1, 404, ''], answers[0]?.body)
        checkRefusal(answers[0]!)
      }
    })
  assert.deepEqual(platform.calls, [])
  for (const [id, asked] of Object.entries({
    'a%2fb': 'a%2Fb',
    'a%5cb': 'a%5Cb',
    '..%5c': '..%5C',
    '%252e%252e': '%252e%252e',
    '...': '...',
    'a;b': 'a%3Bb',
    '%3fx%23': '%3Fx%23',
    '*': '*',
  }))
    await t.test(`the id ${id} is one segment`, async () => {
      await say(get(`/v1/connections/acme/apps/${id}/versions/ids`), { quietMs: 5 })
      assert.equal(platform.calls.at(-1)?.url.split('?', 1)[0], `/v1/apps/${asked}/relationships/appStoreVersions`)
    })
})
