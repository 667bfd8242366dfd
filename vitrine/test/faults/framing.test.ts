// F11 to F32: bytes of the platform that are no whole answer, or more than one. Truncated answers are retried, wrongly framed
// ones are not. Long because it is a table.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import {
  answerOf,
  flood,
  type RawPlatform,
  type RawScript,
  respond,
  respondAndEnd,
  respondAndReset,
  startRawPlatform,
} from '../support/raw-platform.ts'
import { startService } from '../support/service.ts'
import { canary, type Expected, type Fault, faults } from './fault.ts'

const document = JSON.stringify(page.healthy)
const healthy = respond(answerOf(document))
const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const chunked = `${start}transfer-encoding: chunked\r\n\r\n`
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const unavailable = { status: 503, type: 'upstream_error', code: 'upstream_unavailable', retryAfter: null }
const malformed = { status: 502, type: 'upstream_error', code: 'upstream_malformed', retryAfter: null }
const answered = { status: 200, json: page.answer }

/** once, so that the second call succeeds; and always */
const cutAs = (id: string, fault: string, script: RawScript, always: Omit<Expected, 'calls'>): Fault[] => [
  { id, fault: `${fault}, once`, raw: [script, healthy], expect: { ...answered, calls: 2 } },
  { id, fault: `${fault}, twice`, raw: [script, script, healthy], expect: { ...answered, calls: 3 } },
  { id, fault: `${fault}, always`, raw: script, expect: { ...always, calls: 3 } },
]

const partOfHead = 'HTTP/1.1 200 OK\r\ncontent-'
const partOfBody = `${start}content-length: ${document.length}\r\n\r\n${document.slice(0, 30)}`
// the bytes are a whole document, which must not be taken for the announced one
const wholeButShort = `${start}content-length: ${document.length + 9}\r\n\r\n${document}`

faults([
  ...cutAs('F11', 'closed before the headers', respondAndEnd(), unavailable),
  ...cutAs('F11', 'reset before the headers', respondAndReset(''), unavailable),
  ...cutAs('F12', 'reset inside the headers', respondAndReset(partOfHead), unavailable),
  ...cutAs('F12', 'closed inside the headers', respondAndEnd(partOfHead), unavailable),
  ...cutAs('F13', 'reset mid-body', respondAndReset(partOfBody), malformed),
  ...cutAs(
    'F13',
    'reset where a whole document has come, but not all that was announced',
    respondAndReset(wholeButShort),
    malformed,
  ),
  ...cutAs('F14', 'closed short of the length', respondAndEnd(partOfBody), malformed),
  ...cutAs(
    'F14',
    'closed where a whole document has come, but not all that was announced',
    respondAndEnd(wholeButShort),
    malformed,
  ),
  ...cutAs('F17', 'closed without the final chunk', respondAndEnd(chunked, chunk(document)), malformed),
  ...cutAs('F17', 'reset without the final chunk', respondAndReset(chunked + chunk(document)), malformed),
  ...cutAs('F17', 'closed inside a chunk', respondAndEnd(chunked, chunk(document).slice(0, 40)), malformed),
])

/** answers that count as invalid, and are not retried */
const wrong: readonly [id: string, fault: string, script: RawScript][] = [
  ['F16', 'chunks that are garbage', respond(chunked, 'zz\r\n', document)],
  ['F16', 'a negative chunk', respond(chunked, '-5\r\nhello\r\n0\r\n\r\n')],
  ['F16', 'a chunk whose size is past any number', respond(chunked, 'fffffffffffffffff\r\n', document)],
  ['F16', 'a chunk that is longer than it says', respond(chunked, `5\r\n${document}\r\n0\r\n\r\n`)],
  [
    'F18',
    'chunks and a length',
    respond(start, `transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n`, `${chunk(document)}0\r\n\r\n`),
  ],
  ['F19', 'a length that is no number', respond(start, 'content-length: five\r\n\r\n', document)],
  ['F19', 'a negative length', respond(start, 'content-length: -1\r\n\r\n', document)],
  ['F21', 'a body without a status line', respondAndEnd(document)],
  ['F21', 'another protocol', respondAndEnd('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
  ...['000', '099', '600', '999', '1000', '20', '2000', '-200', 'OK'].map((status): [string, string, RawScript] => [
    'F22',
    `status ${status}`,
    respond(answerOf(document, '', `${status} X`)),
  ]),
  ['F22', '099 without a body', respondAndEnd('HTTP/1.1 099 X\r\n\r\n')],
  ['F22', '100 unasked', respond('HTTP/1.1 100 Continue\r\n\r\n', answerOf(document))],
  ['F22', '101 that names no protocol', respond('HTTP/1.1 101 X\r\n\r\n')],
  ['F22', '101 unasked', respond('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')],
  ['F24', '20 KiB of headers in one field', respond(answerOf(document, `x-big: ${canary.repeat(3_000)}\r\n`))],
  [
    'F24',
    '20 KiB of headers in many fields',
    respond(answerOf(document, `x-some: ${canary.repeat(20)}\r\n`.repeat(140))),
  ],
  ['F26', 'a folded field', respond(answerOf(document, `x-a: b\r\n  ${canary}: yes\r\n`))],
  ['F26', 'NUL in a field', respond(answerOf(document, 'x-a: b\0c\r\n'))],
  ['F26', 'a bare CR in a field', respond(answerOf(document, 'x-a: b\rx-b: c\r\n'))],
  ['F26', 'a field without a name', respond(answerOf(document, ': b\r\n'))],
  ['F26', 'a space before the colon', respond(answerOf(document, 'x-a : b\r\n'))],
  ['F27', '204', respond('HTTP/1.1 204 No Content\r\n\r\n')],
  [
    'F27',
    '204 with a document behind it',
    respond(`HTTP/1.1 204 No Content\r\ncontent-length: ${document.length}\r\n\r\n`, document),
  ],
  ['F28', '205', respond('HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n')],
  ['F28', '206', respond(answerOf(document, `content-range: bytes 0-9/${document.length}\r\n`, '206 Partial Content'))],
  ['F29', '304 without a condition', respond('HTTP/1.1 304 Not Modified\r\n\r\n')],
  ['F29', '304 with a document behind it', respond('HTTP/1.1 304 Not Modified\r\n\r\n', answerOf(document))],
  ['F30', 'until the close, cut inside the document', respondAndEnd(start, '\r\n', document.slice(0, -1))],
  ['F30', 'until the close, with nothing', respondAndEnd(start, '\r\n')],
  [
    'F30',
    'until the close, without the links',
    respondAndEnd(start, '\r\n', JSON.stringify({ data: page.healthy['data'] })),
  ],
  [
    'F30',
    'until the close, without the data',
    respondAndEnd(start, '\r\n', JSON.stringify({ links: page.healthy['links'] })),
  ],
  ['F30', 'until the close, an object that holds neither', respondAndEnd(start, '\r\n', '{}')],
]

/** contradictory headers: they look like truncated answers, so they are retried */
const contradictions: readonly [id: string, fault: string, head: string][] = [
  ['F18', 'a length and chunks', `content-length: ${document.length}\r\ntransfer-encoding: chunked\r\n`],
  ['F19', 'two different lengths', `content-length: ${document.length}\r\ncontent-length: 5\r\n`],
  ['F19', 'a length past any number', 'content-length: 99999999999999999999\r\n'],
]

faults(
  contradictions.map(([id, fault, head]) => ({
    id,
    fault,
    raw: respond(`${start}${head}\r\n`, head.includes('chunked') ? `${chunk(document)}0\r\n\r\n` : document),
    expect: { ...malformed, calls: 3 },
    more(_answer, { platform }) {
      assert.equal((platform as RawPlatform).connections, 3, 'none of these sockets is used again')
    },
  })),
)

faults(wrong.map(([id, fault, raw]) => ({ id, fault, raw, expect: { ...malformed, calls: 1 } })))

faults([
  {
    id: 'F20',
    fault: 'HTTP/1.0 until the close, whole: the socket is not used again',
    raw: respondAndEnd(start.replace('1.1', '1.0'), '\r\n', document),
    expect: { ...answered, calls: 1 },
    async more(_answer, { service, platform }) {
      await service.ask(page.path)
      assert.equal((platform as RawPlatform).connections, 2)
    },
  },
])

/** informational answers before the final one: any number is allowed, bounded by the deadline */
const hint = (link: string) => `HTTP/1.1 103 Early Hints\r\nlink: <${link}>\r\n\r\n`
const manyFields = Array.from({ length: 2_000 }, (_, i) => `x-${i}: ${canary}\r\n`).join('')

faults([
  {
    id: 'F23',
    fault: '10,000 hints before the answer',
    raw: respond(hint(canary).repeat(10_000), answerOf(document)),
    timeoutMs: 10_000,
    expect: { ...answered, calls: 1 },
  },
  {
    id: 'F23',
    fault: 'hints for ever',
    raw: (socket) => flood(socket, hint(canary).repeat(1_000)),
    timeoutMs: 700,
    expect: { status: 504, type: 'upstream_error', code: 'upstream_timeout', calls: 1 },
  },
  {
    id: 'F25',
    fault: '2,000 header fields',
    raw: respond(answerOf(document, manyFields)),
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F25',
    fault: '900 header fields, none of which is passed on',
    raw: respond(answerOf(document, manyFields.split('\r\n').slice(0, 500).join('\r\n') + '\r\n')),
    expect: { ...answered, calls: 1 },
  },
  {
    id: 'F26',
    fault: 'CRLF in a field, which makes a field of theirs and none of ours',
    raw: respond(answerOf(document, `x-request-id: ${canary}\r\nset-cookie: ${canary}\r\nx-rate-limit: ${canary}\r\n`)),
    expect: { ...answered, calls: 1 },
    more: ({ headers }) => assert.equal(headers['set-cookie'], undefined),
  },
  {
    id: 'F31',
    fault: 'trailers with forged fields',
    raw: respond(
      `${start}trailer: content-type, x-rate-limit, etag\r\ntransfer-encoding: chunked\r\n\r\n`,
      `${chunk(document)}0\r\ncontent-type: text/html\r\nx-rate-limit: ${canary}\r\netag: ${canary}\r\n\r\n`,
    ),
    expect: { ...answered, calls: 1 },
  },
  {
    id: 'F20',
    fault: 'HTTP/1.1 until the close, whole',
    raw: respondAndEnd(start, '\r\n', document),
    expect: { ...answered, calls: 1 },
  },
])

const forged = answerOf(document.replace('Spring', canary))

/** unrequested bytes, and how many new sockets they cost */
const extras: readonly [id: string, fault: string, script: RawScript][] = [
  ['F15', 'garbage behind an answer', respond(Buffer.concat([answerOf(document), Buffer.from(canary)]))],
  ['F15', 'a second answer behind an answer', respond(Buffer.concat([answerOf(document), forged]))],
  ['F15', 'a second answer in a packet of its own', respond(answerOf(document), forged)],
  ['F15', 'a second answer behind the last chunk', respond(`${chunked}${chunk(document)}0\r\n\r\n`, forged)],
  [
    'F32',
    'an unrequested answer on an idle socket',
    (socket) => {
      socket.write(answerOf(document))
      setTimeout(() => socket.write(forged), 30)
    },
  ],
  [
    'F32',
    'half an unrequested answer on an idle socket',
    (socket) => {
      socket.write(answerOf(document))
      setTimeout(() => socket.write(forged.subarray(0, 40)), 30)
    },
  ],
]

for (const [id, fault, script] of extras)
  test(`${id}: ${fault}: the same caller and another tenant's get their own, from fresh sockets`, async (t) => {
    const platform = await startRawPlatform(script)
    const service = await startService(platform.url)
    t.after(() => service.close().then(platform.close))
    const others = `/v1/connections/other${page.path}`
    const asked = [page.path, page.path, others, page.path, others]
    for (const [i, path] of asked.entries()) {
      const { status, text, json } = await service.ask(path)
      assert.equal(status, 200, text)
      assert.deepEqual(json, page.answer)
      // wait until the unrequested bytes have arrived
      await sleep(80)
      const endsAt = performance.now() + 3_000
      while (platform.sockets.size > 0 && performance.now() < endsAt) await sleep(20)
      assert.equal(platform.sockets.size, 0, 'a socket with unread bytes is not kept')
      assert.equal(platform.connections, i + 1)
    }
    assert.equal(platform.requests.length, asked.length)
    assert.ok(!JSON.stringify(service.events).includes(canary))
    platform.script = healthy
    for (const path of asked) assert.deepEqual((await service.ask(path)).json, page.answer)
  })
