// All platform sockets read into one buffer: no answer may hold a byte that was read for another connection, however the bytes
// of many answers arrive among each other.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { until } from '../../../base/test/until.ts'
import { type RawScript, startRawPlatform } from '../support/raw-platform.ts'
import { presentCertificate, startTlsPlatform, trustAuthority, trusted } from '../support/tls-platform.ts'
import { openPlatform } from './open-platform.ts'
import { readContext } from './read-context.ts'

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

function open(t: TestContext, baseUrl: string) {
  const platform = openPlatform(t, baseUrl)
  return (connection: string) => {
    const upstream = platform.bind({ keyId: 'K', issuerId: connection, key }, connection)
    return async (target: string, signal = new AbortController().signal) => {
      const read = { target, accept: 'application/json', given: new Map() }
      return (await upstream.get(read, readContext({ fresh: true, signal }))).take()
    }
  }
}

/** the same numbers in every run */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const [start, json] = ['HTTP/1.1 200 OK\r\n', 'content-type: application/json\r\n']
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** a document that names its connection and its read in every part */
const documentOf = (owner: string, size: number) => ({
  data: Array.from({ length: size }, (_, at) => `${owner} ${at}`),
})

/** `/v1/OWNER/SIZE/FORM/NUMBER` -> the bytes of a whole response */
function responseTo(request: string): Buffer {
  const [, target = ''] = request.split(' ')
  const [, , owner = '', size, form = ''] = target.split('/')
  const text = Buffer.from(JSON.stringify(documentOf(owner, Number(size))))
  const body = form.includes('gzip') ? gzipSync(text) : text
  const head = `${json}date: ${new Date().toUTCString()}\r\nx-owner: ${owner}\r\n${form.includes('gzip') ? 'content-encoding: gzip\r\n' : ''}`
  const early = form.includes('early') ? `HTTP/1.1 103 Early Hints\r\nlink: ${owner}\r\n\r\n` : ''
  if (!form.includes('chunked'))
    return Buffer.concat([Buffer.from(`${early}${start}${head}content-length: ${body.length}\r\n\r\n`), body])
  const middle = Math.ceil(body.length / 2)
  return Buffer.concat([
    Buffer.from(`${early}${start}${head}transfer-encoding: chunked\r\ntrailer: x-owner\r\n\r\n`),
    ...[body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0).map(chunk),
    Buffer.from(`0\r\nx-owner: ${owner}\r\n\r\n`),
  ])
}

/** sends a response in pieces: single bytes of its head and trailer, and parts of any size of its body */
async function drip(socket: Socket, response: Buffer, random: (below: number) => number) {
  socket.setNoDelay(true)
  for (let at = 0; at < response.length && !socket.destroyed;) {
    const size = at < 300 || response.length - at < 40 ? 1 + random(40) : 1 + random(90_000)
    socket.write(response.subarray(at, at + size))
    at += size
    await sleep(random(3))
  }
}

const forms = ['plain', 'chunked', 'gzip', 'gzip-chunked', 'early', 'early-chunked'] as const
const sizes = [0, 1, 40, 4_000, 20_000, 60_000] as const

async function readAmongEachOther(t: TestContext, url: string) {
  const connect = open(t, url)
  const random = createRandom(7)
  const reads = Array.from({ length: 12 }, async (_, number) => {
    const owner = `owner${number}`
    const get = connect(owner)
    for (let i = 0; i < 10; i++) {
      const [size, form] = [sizes[random(sizes.length)] ?? 0, forms[random(forms.length)] ?? 'plain']
      const target = `/v1/${owner}/${size}/${form}/${i}`
      if (random(4) === 0) {
        const caller = new AbortController()
        const left = assert.rejects(get(target, caller.signal))
        await sleep(random(10))
        caller.abort()
        await left.catch((error: Error) => assert.match(error.message, /Missing expected rejection/))
      } else assert.deepEqual(await get(target), documentOf(owner, size), target)
    }
  })
  await Promise.all(reads)
}

const dripping =
  (random = createRandom(11)): RawScript =>
  (socket, request) =>
    void drip(socket, responseTo(request), random)

test('answers that arrive in pieces among each other stay apart, aborted ones too', async (t) => {
  const platform = await startRawPlatform(dripping())
  t.after(() => platform.close())
  await readAmongEachOther(t, platform.url)
})

test('over TLS as well', async (t) => {
  t.after(trustAuthority())
  const platform = await startTlsPlatform(presentCertificate(trusted), dripping())
  t.after(() => platform.close())
  await readAmongEachOther(t, platform.url)
})

test('bytes on an idle socket close it, and join no answer', async (t) => {
  const platform = await startRawPlatform((socket, request) => void socket.write(responseTo(request)))
  t.after(() => platform.close())
  const get = open(t, platform.url)('a')
  assert.deepEqual(await get('/v1/a/1/plain'), documentOf('a', 1))
  for (const socket of platform.sockets) socket.write(responseTo('GET /v1/b/1/plain'))
  await until(() => platform.sockets.size === 0)
  assert.deepEqual(await get('/v1/a/2/plain'), documentOf('a', 2))
})

// The buffer is a gain only while undici takes bytes with `socket.read()` and gives a body as views of what it took.
test('bodies of known length are read without memory of their own, and nothing else is left in the buffer', async (t) => {
  const platform = await startRawPlatform((socket, request) => {
    const response = responseTo(request)
    socket.write(response.subarray(0, 600))
    setTimeout(() => socket.write(response.subarray(600)), 20)
  })
  t.after(() => platform.close())
  const get = open(t, platform.url)
  const taken: { path: string; bytes: ArrayBufferLike }[] = []
  const received = channel('undici:request:bodyChunkReceived')
  const look = (message: unknown) => {
    const { request, chunk: part } = message as { request: { path: string }; chunk: Buffer }
    taken.push({ path: request.path, bytes: part.buffer })
  }
  received.subscribe(look)
  t.after(() => received.unsubscribe(look))
  for (const owner of ['a', 'b', 'c']) await get(owner)(`/v1/${owner}/4000/${owner === 'c' ? 'chunked' : 'plain'}`)
  const buffersOf = (owner: string) =>
    new Set(taken.filter(({ path }) => path.startsWith(`/v1/${owner}/`)).map(({ bytes }) => bytes))
  const [[shared], [other]] = [buffersOf('a'), buffersOf('b')]
  assert.equal(shared?.byteLength, 64 * 1024)
  assert.ok(buffersOf('a').size === 1 && shared === other, 'one buffer for both connections')
  assert.ok(buffersOf('c').size > 0 && !buffersOf('c').has(shared), 'undici keeps trailers: it gets copies')
})
