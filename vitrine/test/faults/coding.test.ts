// F42 to F50: encoded bodies, and bodies that are too large. Reading stops as soon as the limit is passed.
// Long because it is a table.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import test, { type TestContext } from 'node:test'
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { page } from '../support/example-routes.ts'
import {
  answerOf,
  flood,
  type RawPlatform,
  type RawScript,
  repeat,
  respond,
  startRawPlatform,
} from '../support/raw-platform.ts'
import type { Blast, Damage } from './decompression-bomb.ts'
import { startService } from '../support/service.ts'
import { type Fault, faults } from './fault.ts'

const document = JSON.stringify(page.healthy)
const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const malformed = { status: 502, type: 'upstream_error', code: 'upstream_malformed', retryAfter: null } as const
const answered = { status: 200, json: page.answer } as const

const coded = (body: Buffer | string, coding = 'gzip') => respond(answerOf(body, `content-encoding: ${coding}\r\n`))
const gzip = gzipSync(document)
const nested = (times: number) =>
  Array.from({ length: times }).reduce<Buffer>((body) => gzipSync(body), Buffer.from(document))

/** spaces, so that the decoded body is well-formed up to the limit */
async function makeBomb(MiB: number): Promise<Buffer> {
  const packer = createGzip({ level: 9 })
  const parts: Buffer[] = []
  packer.on('data', (part: Buffer) => parts.push(part))
  const spaces = Buffer.alloc(8 << 20, ' ')
  for (let i = 0; i < MiB / 8; i++) if (!packer.write(spaces)) await once(packer, 'drain')
  packer.end(document)
  await once(packer, 'end')
  return Buffer.concat(parts)
}

async function bomb(t: TestContext, { paths }: Blast): Promise<Damage> {
  const platform = await startRawPlatform(respond(answerOf(document)))
  const child = fork(new URL('decompression-bomb.ts', import.meta.url), [platform.url], {
    execArgv: ['--disable-proto=delete'],
  })
  t.after(async () => {
    if (child.exitCode === null) {
      child.disconnect()
      await once(child, 'exit')
    }
    await platform.close()
  })
  await once(child, 'message')
  const blast = async (wish: Blast): Promise<Damage> => {
    child.send(wish)
    return ((await once(child, 'message')) as [Damage])[0]
  }
  // first as many healthy answers, so that only the memory of the bomb is measured
  assert.deepEqual(new Set((await blast({ paths })).ends), new Set(['200 undefined undefined']))
  const healthy = platform.script
  platform.script = coded(await makeBomb(400))
  const damage = await blast({ paths })
  platform.script = healthy
  const again = await blast({ paths: [page.path] })
  assert.deepEqual(again.ends, ['200 undefined undefined'])
  assert.equal(platform.requests.length, 2 * paths.length + 1)
  return damage
}

for (const [count, how] of [
  [1, 'one'],
  [64, '64 at once'],
] as const)
  test(
    `F42: gzip bombs of 400 MiB, ${how}: each is 502 after one call, and costs little memory`,
    { timeout: 120_000 },
    async (t) => {
      const paths = Array.from({ length: count }, (_, i) => page.path.replace('s1', `s${i}`))
      const { ends, grownMiB } = await bomb(t, { paths })
      assert.deepEqual(
        ends,
        paths.map(() => '502 upstream_error upstream_malformed'),
      )
      assert.ok(grownMiB < 150, `${grownMiB} MiB`)
    },
  )

const utf16 = (text: string, mark = ''): Buffer => Buffer.from(mark + text, 'utf16le')
/** an invalid UTF-8 byte in a value that callers would see */
const spoilt = (...bytes: number[]): Buffer => {
  const [before = '', after = ''] = document.split('Spring')
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
}
const empty = Buffer.alloc(0)
const emptyMember = gzipSync('')
const brotliBomb = () =>
  brotliCompressSync(Buffer.alloc(64 << 20, ' '), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

/** bodies that are refused after one call */
const refused: readonly [id: string, fault: string, script: RawScript][] = [
  ['F43', 'gzip twice, said twice', coded(nested(2), 'gzip, gzip')],
  ['F43', 'gzip twice, said in two fields', coded(nested(2), 'gzip\r\ncontent-encoding: gzip')],
  ['F43', 'gzip ten times, said ten times', coded(nested(10), Array.from({ length: 10 }, () => 'gzip').join(', '))],
  ['F43', 'gzip ten times, said once', coded(nested(10))],
  ['F43', 'gzip twice, said once', coded(nested(2))],
  ['F44', 'a brotli bomb of 64 MiB', coded(brotliBomb(), 'br')],
  ['F44', 'brotli, well-formed', coded(brotliCompressSync(document), 'br')],
  ['F44', 'zstd, well-formed', coded(zstdCompressSync(document), 'zstd')],
  ['F44', 'deflate, well-formed', coded(deflateSync(document), 'deflate')],
  ['F45', 'a plain body that is called gzip', coded(document)],
  ['F45', 'deflate that is called gzip', coded(deflateSync(document))],
  ['F45', 'deflate without a head that is called gzip', coded(deflateRawSync(document))],
  ['F45', 'garbage behind the head of gzip', coded(Buffer.concat([gzip.subarray(0, 10), Buffer.alloc(100, 0xff)]))],
  [
    'F45',
    'gzip with a wrong checksum',
    coded(Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(4, 1), gzip.subarray(-4)])),
  ],
  ['F45', 'gzip with a wrong length', coded(Buffer.concat([gzip.subarray(0, -4), Buffer.alloc(4, 1)]))],
  ['F45', 'gzip of nothing', coded(gzipSync(''))],
  ['F45', 'nothing that is called gzip', coded(empty)],
  ['F45', 'garbage behind gzip', coded(Buffer.concat([gzip, Buffer.from('garbage')]))],
  ['F45', 'gzip of two documents, one behind the other', coded(Buffer.concat([gzip, gzip]))],
  ['F46', 'gzip without its last 8 bytes', coded(gzip.subarray(0, -8))],
  ['F46', 'gzip without its last byte', coded(gzip.subarray(0, -1))],
  ['F46', 'gzip cut mid-stream', coded(gzip.subarray(0, 40))],
  ['F46', 'gzip cut in its head', coded(gzip.subarray(0, 5))],
  ['F47', 'an unknown coding', coded(document, 'pear')],
  ['F47', 'a coding without a name', coded(document, '')],
  ['F47', 'gzip under its old name', coded(gzip, 'x-gzip')],
  ['F47', 'an unknown coding over gzip', coded(gzip, 'gzip, pear')],
  ['F50', 'UTF-16 with a mark', respond(answerOf(utf16(document, '\ufeff')))],
  ['F50', 'UTF-16 without a mark', respond(answerOf(utf16(document)))],
  ['F50', 'UTF-16, big-endian', respond(answerOf(utf16(document, '\ufeff').swap16()))],
  [
    'F50',
    'UTF-16 that says so',
    respond(answerOf(utf16(document), 'content-type: application/json; charset=utf-16\r\n')),
  ],
  ['F50', 'a byte that is no UTF-8', respond(answerOf(spoilt(0xff)))],
  ['F50', 'a sign that is cut', respond(answerOf(spoilt(0xe2, 0x82)))],
  ['F50', 'a sign that is longer than it needs to be', respond(answerOf(spoilt(0xc0, 0xae)))],
  ['F50', 'half of a pair', respond(answerOf(spoilt(0xed, 0xa0, 0x80)))],
  ['F50', 'a sign beyond the last', respond(answerOf(spoilt(0xf4, 0x90, 0x80, 0x80)))],
  ['F50', 'Latin-1', respond(answerOf(spoilt(0xe9)))],
  ['F50', 'a mark within the document', respond(answerOf(`{\ufeff${document.slice(1)}`))],
  ['F50', 'two marks in front', respond(answerOf(`\ufeff\ufeff${document}`))],
]

faults(refused.map(([id, fault, raw]): Fault => ({ id, fault, raw, expect: { ...malformed, calls: 1 } })))

/** bodies that are accepted */
const read: readonly [id: string, fault: string, script: RawScript][] = [
  ['F43', 'gzip, which is what was asked for', coded(gzip)],
  ['F43', 'gzip in capitals', coded(gzip, 'GZIP')],
  ['F43', 'gzip in two members', coded(Buffer.concat([gzipSync(document.slice(0, 9)), gzipSync(document.slice(9))]))],
  ['F47', 'identity', coded(document, 'identity')],
  ['F50', 'a mark in front', respond(answerOf(`\ufeff${document}`))],
]

faults(
  read.map(([id, fault, raw]): Fault => ({
    id,
    fault,
    raw,
    expect: { ...answered, calls: 1 },
    more(_answer, { platform }) {
      const [request = ''] = (platform as RawPlatform).requests
      assert.deepEqual(/^accept-encoding: (.*)$/im.exec(request)?.[1], 'gzip', 'nothing else is asked for')
    },
  })),
)

const longest = 8 << 20
const spaces = Buffer.alloc(1 << 16, ' ')

/** a body of this many spaces, written as it is read; `taken` is the number sent */
function pours(
  head: string,
  part: Buffer | string,
  taken: { bytes: number },
  most = Number.POSITIVE_INFINITY,
): RawScript {
  return (socket) => {
    socket.write(head)
    const more = () => {
      while (!socket.destroyed && taken.bytes < most) {
        taken.bytes += part.length
        if (!socket.write(part)) return
      }
    }
    socket.on('drain', more)
    more()
  }
}

const [plain, endless] = [{ bytes: 0 }, { bytes: 0 }]

faults([
  {
    id: 'F48',
    fault: '64 MiB, which is given up after 8',
    raw: pours(`${start}content-length: ${64 << 20}\r\n\r\n`, spaces, plain, 64 << 20),
    timeoutMs: 10_000,
    expect: { ...malformed, calls: 1 },
    // plus the buffers of the system between the two sockets
    more: () => assert.ok(plain.bytes > longest && plain.bytes < 4 * longest, `${plain.bytes} bytes`),
  },
  {
    id: 'F48',
    fault: 'a byte more than 8 MiB',
    raw: respond(answerOf(' '.repeat(longest - document.length + 1) + document)),
    timeoutMs: 10_000,
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F48',
    fault: '8 MiB, which is the most',
    raw: respond(answerOf(' '.repeat(longest - document.length) + document)),
    timeoutMs: 10_000,
    expect: { ...answered, calls: 1 },
  },
  {
    id: 'F48',
    fault: 'a byte more than 8 MiB, in gzip',
    raw: coded(gzipSync(' '.repeat(longest - document.length + 1) + document)),
    timeoutMs: 10_000,
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F48',
    fault: 'more than 4 MiB of gzip, however little it unpacks to',
    raw: coded(Buffer.concat([gzipSync(document), ...Array.from({ length: 220_000 }, () => emptyMember)])),
    timeoutMs: 10_000,
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F49',
    fault: 'chunks for ever, as fast as they are read',
    raw: pours(`${start}transfer-encoding: chunked\r\n\r\n`, chunk(' '.repeat(60_000)), endless),
    timeoutMs: 10_000,
    expect: { ...malformed, calls: 1 },
    more: () => assert.ok(endless.bytes < 4 * longest, `${endless.bytes} bytes`),
  },
  {
    id: 'F49',
    fault: 'one chunk without an end',
    raw: (socket) => {
      socket.write(`${start}transfer-encoding: chunked\r\n\r\nffffffff\r\n`)
      flood(socket, spaces)
    },
    timeoutMs: 10_000,
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F49',
    fault: 'a body until the close, which never comes, as fast as it is read',
    raw: (socket) => {
      socket.write(`${start}\r\n`)
      flood(socket, spaces)
    },
    timeoutMs: 10_000,
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F49',
    fault: 'gzip without an end, as fast as it is read',
    raw: (socket) => {
      socket.write(`${start}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`)
      flood(socket, chunk('x'.repeat(60_000)))
    },
    timeoutMs: 10_000,
    expect: { ...malformed, calls: 1 },
  },
  {
    id: 'F49',
    fault: 'small chunks for ever, slowly: the deadline ends it',
    raw: (socket) => {
      socket.write(`${start}transfer-encoding: chunked\r\n\r\n`)
      repeat(socket, chunk(' '), 5)
    },
    timeoutMs: 600,
    expect: { status: 504, type: 'upstream_error', code: 'upstream_timeout', calls: 1 },
  },
])

test('F47: twenty large answers in an unknown coding leak no socket', { timeout: 60_000 }, async (t) => {
  for (const status of ['200 OK', '404 Not Found']) {
    const large = answerOf(Buffer.alloc(3 << 20, 'x'), 'content-encoding: br\r\n', status)
    const platform = await startRawPlatform(respond(large))
    const service = await startService(platform.url)
    t.after(() => service.close().then(platform.close))
    for (let i = 0; i < 20; i++) assert.ok([502, 404].includes((await service.ask(page.path)).status))
    platform.script = respond(answerOf(document))
    assert.deepEqual((await service.ask(page.path)).json, page.answer)
  }
})
