import assert from 'node:assert/strict'
import test from 'node:test'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { page } from '../ground/places.ts'
import {
  answerOf,
  flood,
  type RawScript,
  repeat,
  says,
  saysAndEnds,
  saysAndResets,
  startRawPlatform,
} from '../ground/raw-platform.ts'
import { startService } from '../ground/service.ts'

const deadlineMs = 600
const healthy = JSON.stringify(page.healthy)
const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const gzipped = (body: Buffer, coding = 'gzip') => says(answerOf(body, `content-encoding: ${coding}\r\n`))

const scripted = async (t: test.TestContext) => {
  const platform = await startRawPlatform()
  const service = await startService(platform.url, { file: { upstream: { timeoutMs: deadlineMs } } })
  t.after(() => service.close().then(platform.close))
  const ask = async (script: RawScript) => {
    platform.script = script
    const before = performance.now()
    const answer = await service.ask(page.path)
    const tookMs = performance.now() - before
    assert.ok(tookMs < deadlineMs + 1_000, `${tookMs} ms`)
    return answer
  }
  const healthyAgain = async () =>
    assert.deepEqual((await ask(says(answerOf(healthy)))).json, page.answer, 'the next request is answered')
  return { platform, service, ask, healthyAgain }
}

const gzip = gzipSync(healthy)
const nestedGzip = Array.from({ length: 9 }).reduce<Buffer>((body) => gzipSync(body), gzip)
const cut = start + 'content-length: 500\r\n\r\n' + healthy.slice(0, 30)

const rows: [fault: string, script: RawScript, ...statuses: number[]][] = [
  ['closed before the headers', saysAndEnds(), 502, 503],
  ['reset before the headers', saysAndResets(''), 502, 503],
  ['reset inside the headers', saysAndResets('HTTP/1.1 200 OK\r\ncontent-'), 502, 503],
  ['closed inside the headers', saysAndEnds('HTTP/1.1 200 OK\r\ncontent-'), 502, 503],
  ['reset inside the body', saysAndResets(cut), 502],
  ['closed short of the length', saysAndEnds(cut), 502],
  ['chunks that are garbage', says(start, 'transfer-encoding: chunked\r\n\r\n', 'zz\r\n', healthy), 502],
  ['a negative chunk', says(start, 'transfer-encoding: chunked\r\n\r\n', '-5\r\nhello\r\n0\r\n\r\n'), 502],
  ['chunks without the last', saysAndEnds(start, 'transfer-encoding: chunked\r\n\r\n', chunk(healthy)), 502],
  [
    'length and chunks',
    says(start, 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n', chunk(healthy), '0\r\n\r\n'),
    502,
  ],
  ['two lengths', says(start, `content-length: ${healthy.length}\r\ncontent-length: 5\r\n\r\n`, healthy), 502],
  ['a length that is none', says(start, 'content-length: five\r\n\r\n', healthy), 502],
  ['HTTP/1.0 until the close', saysAndEnds(start.replace('1.1', '1.0'), '\r\n', healthy), 200],
  ['until the close, cut', saysAndEnds(start, '\r\n', healthy.slice(0, -1)), 502],
  ['a body alone', saysAndEnds(healthy), 502],
  ['another protocol', saysAndEnds('SSH-2.0-OpenSSH_9.6\r\n\r\n'), 502],
  ...['000', '099', '600', '999', '1000', '20', 'OK'].map((status): [string, RawScript, number, number] => [
    `status ${status}`,
    says(answerOf(healthy, '', `${status} X`)),
    502,
    // below 100 the client takes it for news before an answer, and then none comes
    Number(status) < 100 && status.length === 3 ? 503 : 502,
  ]),
  ['101 unasked', says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'), 502],
  [
    'ten thousand early hints',
    says('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'.repeat(10_000), answerOf(healthy)),
    200,
    502,
  ],
  ['early hints for ever', (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)), 502, 504],
  ['20 kB of headers', says(answerOf(healthy, `x-big: ${'x'.repeat(20_000)}\r\n`)), 502],
  [
    '2,000 fields',
    says(answerOf(healthy, Array.from({ length: 2_000 }, (_, i) => `x-${i}: y\r\n`).join(''))),
    200,
    502,
  ],
  ['a folded field', says(answerOf(healthy, 'x-a: b\r\n  c: d\r\n')), 200, 502],
  ['NUL in a field', says(answerOf(healthy, 'x-a: b\0c\r\n')), 502],
  ['204', says('HTTP/1.1 204 No Content\r\n\r\n'), 502],
  ['205', says('HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n'), 502],
  ['206', says(answerOf(healthy, `content-range: bytes 0-9/${healthy.length}\r\n`, '206 Partial Content')), 502],
  ['304', says('HTTP/1.1 304 Not Modified\r\n\r\n'), 502],
  [
    'forged trailers',
    says(
      start,
      'transfer-encoding: chunked\r\ntrailer: x\r\n\r\n',
      chunk(healthy),
      '0\r\nx: y\r\ncontent-type: text/html\r\n\r\n',
    ),
    200,
  ],
  ['gzip twice', gzipped(gzipSync(gzip), 'gzip, gzip'), 502],
  ['gzip twice, in two fields', gzipped(gzipSync(gzip), 'gzip\r\ncontent-encoding: gzip'), 502],
  ['gzip ten times, said once', gzipped(nestedGzip), 502],
  ['brotli', gzipped(brotliCompressSync(healthy), 'br'), 502],
  ['no gzip at all', gzipped(Buffer.from(healthy)), 502],
  ['deflate called gzip', gzipped(deflateSync(healthy)), 502],
  ['gzip with a wrong checksum', gzipped(Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8, 1)])), 502],
  ['gzip without its end', gzipped(gzip.subarray(0, -8)), 502],
  ['gzip cut in the middle', gzipped(gzip.subarray(0, 40)), 502],
  ['empty gzip', gzipped(Buffer.alloc(0)), 502],
  ['garbage behind gzip', gzipped(Buffer.concat([gzip, Buffer.from('garbage')])), 502],
  ['an unknown coding', gzipped(Buffer.from(healthy), 'pear'), 502],
  ['identity', gzipped(Buffer.from(healthy), 'identity'), 200],
  ['gzip', gzipped(gzip), 200],
  ['64 MiB', says(start, `content-length: ${64 << 20}\r\n\r\n`, Buffer.alloc(64 << 20, ' ')), 502],
  [
    'chunks for ever',
    (socket) => (socket.write(`${start}transfer-encoding: chunked\r\n\r\n`), flood(socket, chunk(' '.repeat(60_000)))),
    502,
  ],
  [
    'small chunks for ever',
    (socket) => (socket.write(`${start}transfer-encoding: chunked\r\n\r\n`), repeat(socket, chunk(' '), 5)),
    504,
  ],
  ['silence', () => {}, 504],
  ['headers drop by drop', (socket) => repeat(socket, 'H', 100), 502, 504],
  ['fields for ever', (socket) => (socket.write(start), repeat(socket, 'x-a: b\r\n', 50)), 504],
  [
    'a body drop by drop',
    (socket) => (socket.write(`${start}content-length: 9000\r\n\r\n`), repeat(socket, ' ', 50)),
    504,
  ],
  ['a body that stops', says(cut), 504],
]

test('an answer that is not framed as one is never passed on, and never waited for beyond the deadline', async (t) => {
  const { ask, healthyAgain } = await scripted(t)
  for (const [fault, script, ...statuses] of rows)
    await t.test(`${fault} is ${statuses.join(' or ')}`, async () => {
      const { status, json, text } = await ask(script)
      assert.ok(statuses.includes(status), `${status} ${text.slice(0, 300)}`)
      if (status === 200) assert.deepEqual(json, page.answer)
      else assert.equal(json.error.type, 'upstream_error')
      await healthyAgain()
    })
})

test('bytes that nobody asked for reach no other caller', async (t) => {
  const { platform, ask, healthyAgain } = await scripted(t)
  const forged = answerOf(healthy.replace('Spring', 'FORGED'))
  for (const [name, script] of Object.entries<RawScript>({
    'garbage behind an answer': says(Buffer.concat([answerOf(healthy), Buffer.from('garbage')])),
    'a second answer behind it': says(Buffer.concat([answerOf(healthy), forged])),
    'a second answer a moment later': (socket) => {
      socket.write(answerOf(healthy))
      setTimeout(() => socket.write(forged), 30)
    },
  }))
    await t.test(name, async () => {
      const before = platform.connections
      assert.deepEqual((await ask(script)).json, page.answer)
      await new Promise((ok) => setTimeout(ok, 60))
      await healthyAgain()
      assert.ok(platform.connections > before, 'from a fresh socket')
    })
})

test('a gzip bomb of 400 MiB is 502 and costs little memory', async (t) => {
  const { ask, healthyAgain } = await scripted(t)
  const parts: Buffer[] = []
  const packer = createGzip({ level: 9 }).on('data', (part: Buffer) => parts.push(part))
  const zeros = Buffer.alloc(8 << 20, ' ')
  for (let i = 0; i < 50; i++) if (!packer.write(zeros)) await new Promise((ok) => packer.once('drain', ok))
  await new Promise((ok) => packer.once('end', ok).end())
  const bomb = Buffer.concat(parts)
  assert.ok(bomb.length < 1 << 20)
  await healthyAgain()
  const before = process.memoryUsage.rss()
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 1)
  const { status } = await ask(gzipped(bomb))
  clearInterval(watch)
  assert.equal(status, 502)
  const grownMiB = (Math.max(most, process.memoryUsage.rss()) - before) / (1 << 20)
  assert.ok(grownMiB < 150, `${grownMiB} MiB`)
  await healthyAgain()
})

test('no socket is left behind when an answer was given up', async (t) => {
  const { platform, service, ask } = await scripted(t)
  await ask(() => {})
  await ask(says(cut))
  await Promise.all(Array.from({ length: 20 }, () => service.ask(page.path)))
  await new Promise((ok) => setTimeout(ok, 100))
  assert.equal(platform.sockets.size, 0)
})
