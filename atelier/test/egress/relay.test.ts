// The relay and the service's end of it: connections to the loopback address arrive as streams, with both ends of each.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { RelayConnection } from '../../src/egress/relay-connection.ts'
import { startRelay } from './relay-program.ts'
import { freePort } from '../../../base/test/free-port.ts'

async function openRelay(t: TestContext, serve: (stream: Duplex) => void = () => {}) {
  const started = startRelay(t)
  const streams: Duplex[] = []
  const relay = new RelayConnection(started.channel, (stream) => {
    stream.on('error', () => {})
    streams.push(stream)
    serve(stream)
  })
  t.after(() => relay.close())
  const port = await freePort()
  assert.equal(await relay.listen(port), true)
  const program = async (): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    await new Promise((ok) => void socket.once('connect', ok).once('close', ok))
    return socket
  }
  return { ...started, relay, streams, port, program }
}

/** with an error or without one */
const closed = (socket: Socket): Promise<void> =>
  new Promise((ok) => (socket.closed ? ok() : socket.resume().once('close', () => ok())))

async function textOf(stream: Duplex): Promise<string> {
  let text = ''
  stream.on('data', (piece: Buffer) => (text += String(piece)))
  await once(stream, 'end')
  return text
}

test('both sides of a connection end by themselves', async (t) => {
  const { program, streams } = await openRelay(t)
  const socket = await program()
  socket.end('question')
  await until(() => streams.length === 1)
  const [stream = assert.fail()] = streams
  assert.equal(await textOf(stream), 'question')
  stream.end('answer')
  assert.equal(await textOf(socket), 'answer')
  await until(() => stream.destroyed)
})

test('many megabytes pass both ways at once, unchanged', async (t) => {
  const { program } = await openRelay(t, (stream) => void pipeline(stream, stream).catch(() => {}))
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'abcdefghijklmnopqrstuvwxyz0123456789')
  const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex')
  const all = [1, 2, 3].map(async () => {
    const socket = await program()
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.end(bytes)
    await once(socket, 'end')
    assert.equal(digest(Buffer.concat(parts)), digest(bytes))
  })
  await Promise.all(all)
})

test('a stream that is not read stops its program alone, and keeps little', async (t) => {
  const { program, streams } = await openRelay(t)
  const [stopped, other] = [await program(), await program()]
  const bytes = Buffer.alloc(8 * 1024 * 1024)
  stopped.write(bytes)
  other.write('x')
  await until(() => streams.length === 2 && streams.some((one) => one.readableLength === 1))
  const slow = streams.find((one) => one.readableLength !== 1) ?? assert.fail()
  await until(() => slow.readableLength >= 65_536)
  assert.ok(slow.readableLength <= 131_072 && stopped.writableLength > 0)
  let taken = 0
  slow.on('data', (piece: Buffer) => (taken += piece.length))
  await until(() => taken === bytes.length)
})

test('a program that reads nothing stops its stream, and one that breaks off ends it', async (t) => {
  const { program, streams } = await openRelay(t)
  const socket = (await program()).pause()
  await until(() => streams.length === 1)
  const [stream = assert.fail()] = streams
  let written = 0
  while (stream.write(Buffer.alloc(65_536)) && written < 1_000) written += 1
  assert.ok(stream.writableNeedDrain)
  socket.resetAndDestroy()
  await until(() => stream.destroyed)
})

test('a stream that the service breaks off ends the connection of the program', async (t) => {
  const { program, streams } = await openRelay(t)
  const socket = await program()
  await until(() => streams.length === 1)
  streams[0]?.destroy()
  await closed(socket)
})

test('no more than 64 connections are open at once, and the next waits for its turn', async (t) => {
  const { program, streams } = await openRelay(t)
  const sockets = await Promise.all(Array.from({ length: 70 }, program))
  await until(() => streams.length === 64)
  const more = sockets.map(closed)
  for (const stream of streams) stream.destroy()
  await until(() => streams.length === 70)
  for (const stream of streams) stream.destroy()
  await Promise.all(more)
})

test('a port that something else has is told, and the relay ends with its input', async (t) => {
  const { channel, child, ended } = startRelay(t)
  const relay = new RelayConnection(channel, () => {})
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  assert.equal(await relay.listen((server.address() as { port: number }).port), false)
  relay.close()
  await ended
  assert.equal(child.exitCode, 0)
})

test('when the relay is killed, its streams end and its connection is lost', async (t) => {
  const { program, streams, child, relay } = await openRelay(t)
  const socket = (await program()).resume()
  await until(() => streams.length === 1)
  child.kill('SIGKILL')
  await relay.lost
  await until(() => streams[0]?.destroyed === true && socket.readableEnded)
})

test('a loop that connects all the time is slowed down, and is served', async (t) => {
  let served = 0
  const { program } = await openRelay(t, (stream) => {
    served += 1
    stream.destroy()
  })
  for (let i = 0; i < 200; i += 1) await closed(await program())
  assert.equal(served, 200)
})

test('the certificates are written to a file of their own, not through a link that a program made', async (t) => {
  const victim = join(tmpdir(), `relay-victim-${process.pid}`)
  const [draft, place] = ['/dev/shm/.atelier-ca.pem', '/dev/shm/atelier-ca.pem']
  t.after(() => [victim, draft, place].forEach((path) => rmSync(path, { force: true })))
  writeFileSync(victim, 'unchanged')
  rmSync(draft, { force: true })
  symlinkSync(victim, draft)
  const { relay } = await openRelay(t)
  assert.equal(await relay.writeFile('certificates'), true)
  assert.equal(readFileSync(place, 'utf8'), 'certificates')
  assert.equal(readFileSync(victim, 'utf8'), 'unchanged')
})
