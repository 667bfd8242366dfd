// Bodies that cost the service more than the caller: tiny chunks, many at once, without an end, and contexts that no build reads.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { readTwoParts } from '../../src/api/multipart.ts'
import { openContext } from '../../src/images/open-context.ts'
import { buildLimits } from '../images/build-rig.ts'
import { writeTar } from '../../src/files/write-tar.ts'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

const mebibyte = 1024 * 1024

async function beginPost(t: TestContext, url: string, path: string, key: string, fields = ''): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`
  socket.write(`${head}${fields}\r\n`)
  return socket
}

const answerOf = (socket: Socket): Promise<string> =>
  new Promise((ok) => socket.once('data', (bytes: Buffer) => ok(bytes.toString())))

test('a body in chunks of a usual size is taken; in chunks of one byte the connection closes, and others are served', async (t) => {
  const { rig, key } = await openUsedRig(t)
  const chunked = () => beginPost(t, rig.service.url, '/containers', key, 'transfer-encoding: chunked\r\n')
  const usual = await chunked()
  const spaces = `100\r\n${' '.repeat(256)}\r\n`.repeat(2_000)
  usual.write(`${spaces}11\r\n{"image":"absent"\r\n1\r\n}\r\n0\r\n\r\n`)
  assert.match(await answerOf(usual), /^HTTP\/1\.1 404 /)
  const hostile = await Promise.all(Array.from({ length: 40 }, chunked))
  const closed = hostile.map((socket) => new Promise((ok) => socket.once('close', ok)))
  for (const socket of hostile) socket.write('1\r\n \r\n'.repeat(500_000))
  const startedAt = performance.now()
  assert.equal((await rig.call('GET', '/healthz')).status, 200)
  await Promise.all(closed)
  assert.ok(performance.now() - startedAt < 4_000)
})

test('an account has 64 MiB of unfinished bodies at most, and gets them back', async (t) => {
  const { rig, key, create } = await openUsedRig(t)
  const { text: other } = await rig.key(await rig.account())
  const length = 8 * mebibyte
  const begin = (by: string) => beginPost(t, rig.service.url, '/images', by, `content-length: ${length}\r\n`)
  const sockets = await Promise.all(Array.from({ length: 10 }, () => begin(key)))
  const refused = Promise.any(sockets.map(answerOf))
  for (const socket of sockets) socket.write(Buffer.alloc(length - 1, ' '))
  assert.match(await refused, /^HTTP\/1\.1 503 .*"no_capacity"/s)
  const mine = await begin(other)
  mine.end(Buffer.alloc(length, ' '))
  assert.match(await answerOf(mine), /^HTTP\/1\.1 400 /)
  for (const socket of sockets) socket.destroy()
  await new Promise((ok) => setTimeout(ok, 100))
  assert.equal((await create()).status, 201)
})

const boundary = 'b0b'
const form = (spec: object, context: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="spec"\r\ncontent-type: application/json\r\n\r\n`,
    ),
    Buffer.from(JSON.stringify(spec)),
    Buffer.from(
      `\r\n--${boundary}\r\ncontent-disposition: form-data; name="context"\r\ncontent-type: application/x-tar\r\n\r\n`,
    ),
    context,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])

const partNames = {
  first: { name: 'spec', type: 'application/json', mostBytes: mebibyte },
  second: { name: 'context', type: 'application/x-tar' },
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of source) found.push(one)
  return found
}

async function tarOf(content: Buffer): Promise<Buffer> {
  const times = { modifiedAt: new Date(0), linkTarget: null }
  const item = { path: 'f', type: 'file', mode: 0o644, size: content.length, body: content, ...times } as const
  return Buffer.concat(await all(writeTar([item], { uid: 0, gid: 0 })))
}

type Rig = Awaited<ReturnType<typeof openUsedRig>>['rig']

function sendForm(rig: Rig, key: string, context: Buffer, fields: Record<string, string> = {}) {
  const body = form({ name: 'i', dockerfile: 'FROM base' }, context)
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) }
  return rig.call('POST', '/images', { key, body: body.toString('latin1'), headers: { ...type, ...fields } })
}

test('a context with an Idempotency-Key has the size limit, and no open file once it is answered', async (t) => {
  const { rig, key } = await openUsedRig(t, { settings: { limits: { contextBytes: mebibyte } } })
  const send = (context: Buffer, name: string) => sendForm(rig, key, context, { 'idempotency-key': name })
  const large = await send(Buffer.alloc(2 * mebibyte), 'large')
  assert.deepEqual([large.status, large.body.error.details], [413, { limit: mebibyte }])
  const tar = await tarOf(Buffer.from('x'))
  assert.equal((await send(tar, 'one')).status, 202)
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let i = 0; i < 10; i++) {
    const { status, body, headers } = await send(tar, 'one')
    assert.deepEqual([status, headers['idempotency-replayed']], [202, 'true'], JSON.stringify(body))
  }
  assert.ok(open() - before < 5, `${open() - before} files left open`)
})

test('an account has as many forms under way as builds, from their first byte to their end', async (t) => {
  const { rig, key } = await openUsedRig(t)
  const fields = `content-length: 5000\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n`
  const begin = async () => {
    const socket = connect(Number(new URL(rig.service.url).port), '127.0.0.1')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(`POST /images HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${fields}\r\n--${boundary}`)
    return socket
  }
  const sockets = await Promise.all(Array.from({ length: 3 }, begin))
  assert.match(await Promise.any(sockets.map(answerOf)), /^HTTP\/1\.1 429 .*"build_limit"/s)
  for (const socket of sockets) socket.destroy()
  await until(() => rig.service.events.filter((one) => one.kind === 'served').length === 3)
  assert.equal((await sendForm(rig, key, await tarOf(Buffer.from('x')))).status, 202)
})

test('the first part of a form that never ends is given up after two minutes, although bytes come all the time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let comes = (_bytes: Buffer) => {}
  async function* source() {
    yield form({}, Buffer.from('')).subarray(0, 120)
    for (;;) yield await new Promise<Buffer>((ok) => (comes = ok))
  }
  const reading = readTwoParts(source(), boundary, partNames).then(
    () => 'read',
    ({ code }) => code,
  )
  for (let seconds = 0; seconds < 120; seconds += 30) {
    assert.equal(await Promise.race([reading, new Promise((ok) => setImmediate(ok, 'reading'))]), 'reading')
    comes(Buffer.from(' '))
    await new Promise((ok) => setImmediate(ok))
    t.mock.timers.tick(30_000)
  }
  assert.equal(await reading, 'request_timeout')
})

test('a multipart body in single bytes is read in a moment', async () => {
  const bytes = form({ name: 'x'.repeat(60_000) }, Buffer.from('tar'))
  async function* source() {
    for (const byte of bytes) yield Buffer.of(byte)
  }
  const before = process.cpuUsage()
  const { first, second } = await readTwoParts(source(), boundary, partNames)
  assert.equal((JSON.parse(first.toString()) as { name: string }).name.length, 60_000)
  assert.equal(Buffer.concat(await all<Buffer>(second)).toString(), 'tar')
  // of processor time, in microseconds: the machine may be busy
  assert.ok(process.cpuUsage(before).user < 8e6)
})

test('a file of six MiB in the JSON of a build is taken, and what is no base64 is not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-context-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const limits = { ...buildLimits, contextBytes: 9e9 }
  const open = (contentBase64: string) =>
    openContext(
      {
        id: 'img_1',
        account: 'a',
        limits,
        spec: { name: 'i', dockerfile: 'FROM b', files: [{ path: 'f', contentBase64 }] },
      },
      folder,
      new AbortController().signal,
    )
  const content = Buffer.alloc(6 * mebibyte, 'y')
  const context = await open(content.toString('base64'))
  const [entry] = await all(context.entries())
  assert.equal(entry?.size, content.length)
  await context.close()
  for (const text of ['A', 'AB', 'ABC', 'AB=C', 'A===', '====', '=', 'AA==AAAA', 'AB-_', 'AB\n=', 'ABCD\n'])
    await assert.rejects(open(text), { code: 'invalid_request' }, text)
})
