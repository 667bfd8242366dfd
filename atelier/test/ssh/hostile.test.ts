// What an attacker sends: before they are known, and with a session of their own.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'ssh2'
import { until } from '../../../base/test/until.ts'
import { exec, onGateway, type Rig } from './rig.ts'

/** the library's own calls, for packets that its client would not send */
interface Internals {
  readonly _protocol: {
    session(channel: number, window: number, packetSize: number): void
    channelData(channel: number, data: Buffer): void
    channelEOF(channel: number): void
    exec(channel: number, command: string, wantsReply: boolean): void
    ping(): void
  }
  readonly _sock: Socket
}
const inside = (client: Client) => client as unknown as Internals

const isClosed = (socket: Socket) => new Promise<void>((ok) => socket.once('close', () => ok()).resume())

async function dial({ port }: Rig, bytes?: Uint8Array | string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  if (bytes !== undefined) socket.write(bytes)
  return socket
}

/** the bytes that wait are on their way, or the connection is closed at its other end */
const taken = (socket: Socket, { events }: Rig) =>
  until(() => !socket.writableNeedDrain || events.some(({ kind }) => kind === 'ssh_closed'))

const checkService = async (rig: Rig, container: string) => {
  const { stdout } = await rig.run(await rig.open(container), ['echo on'])
  assert.equal(String(stdout), 'on\n')
}

onGateway('broken packets end their connection alone', async (rig) => {
  const container = await rig.make()
  const hello = Buffer.from('SSH-2.0-x\r\n')
  const packets = [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.alloc(100_000, 0x41),
    Buffer.concat([hello, Buffer.alloc(64, 0xff)]),
    Buffer.concat([hello, Buffer.of(0, 0, 0, 0, 0)]),
    Buffer.concat([hello, Buffer.of(0, 0, 0, 12, 10, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)]),
    Buffer.concat([hello, Buffer.of(0, 0, 0, 12, 4, 50, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0)]),
    ...Array.from({ length: 60 }, () => Buffer.concat([hello, randomBytes(400)])),
  ]
  const sockets = await Promise.all(packets.map((bytes) => dial(rig, bytes)))
  await pause(500)
  for (const socket of sockets) socket.destroy()
  const secret = 'a-secret-in-the-header'
  ;(await dial(rig, `SSH-2.0-${secret}\r\n${secret}`)).end()
  await checkService(rig, container)
  assert.ok(!JSON.stringify(rig.events).includes(secret))
})

onGateway('who proves nothing is cut off, and many of them keep no one out', async (rig) => {
  const container = await rig.make()
  const began = Date.now()
  const silent = await Promise.all(
    Array.from({ length: 150 }, (_, at) => dial(rig, at % 2 ? 'SSH-2.0-x\r\n' : undefined)),
  )
  const closed = silent.map(isClosed)
  await checkService(rig, container)
  await Promise.all(closed)
  assert.ok(Date.now() - began < 14_000, `${Date.now() - began} ms`)
})

onGateway('guesses are few for a connection', async (rig) => {
  const session = await rig.open(await rig.make())
  let attempts = 0
  const authHandler = (_left: unknown, _partial: unknown, next: (method: object) => void) => {
    attempts += 1
    next({ type: 'password', username: session.username, password: `guess ${attempts}` })
  }
  await assert.rejects(rig.connect(session, { authHandler } as object))
  assert.ok(attempts <= 7, `${attempts}`)
})

onGateway('a client that names packets of 0 bytes is cut off', async (rig) => {
  const container = await rig.make()
  for (const size of [0, 1, 1_000]) {
    const client = await rig.connect(await rig.open(container))
    const { _protocol: protocol, _sock: socket } = inside(client)
    const open = protocol.session.bind(protocol)
    protocol.session = (channel, window) => open(channel, window, size)
    const gone = isClosed(socket)
    exec(client, 'echo much').catch(() => {})
    await gone
    await rig.store.sshSessions.removeOf(container)
  }
  await checkService(rig, container)
})

onGateway('a client that sends beyond its window is cut off', async (rig) => {
  const container = await rig.make()
  const client = await rig.connect(await rig.open(container))
  await exec(client, 'sleep 4321')
  const { _protocol: protocol, _sock: socket } = inside(client)
  const gone = isClosed(socket)
  const piece = Buffer.alloc(30_000)
  for (let sent = 0; sent < 60_000_000 && !socket.destroyed; sent += piece.length) {
    protocol.channelData(0, piece)
    await taken(socket, rig)
  }
  await gone
  await until(async () => !(await rig.alive(container, 'sleep 4321')), 5_000)
  await checkService(rig, container)
})

/** how many bytes the gateway held at most for the next client that connects */
function watchUnsent(): () => number {
  let most = 0
  const watch = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    unsubscribe('net.server.socket', watch)
    socket.prependListener('data', () => (most = Math.max(most, socket.writableLength)))
  }
  subscribe('net.server.socket', watch)
  return () => most
}

onGateway('a client that reads no answers is cut off before many of them wait', async (rig) => {
  const container = await rig.make()
  const session = await rig.open(container)
  const unsent = watchUnsent()
  const client = await rig.connect(session)
  const { _protocol: protocol, _sock: socket } = inside(client)
  socket.pause()
  const isCut = () => rig.events.some(({ kind }) => kind === 'ssh_closed')
  for (let at = 0; at < 500 && !isCut(); at++) {
    for (let asked = 0; asked < 2_000; asked++) protocol.ping()
    await taken(socket, rig)
  }
  await until(isCut)
  // each is some 30 bytes in up to three pieces
  assert.ok(unsent() > 0 && unsent() < 500_000, `${unsent()} bytes`)
  socket.destroy()
  await checkService(rig, container)
})

onGateway('requests out of order harm no one', async (rig) => {
  const container = await rig.make()
  const client = await rig.connect(await rig.open(container))
  const { _protocol: protocol } = inside(client)
  const channel = await exec(client, 'cat >/dev/null; sleep 1')
  protocol.exec(0, 'echo second', true)
  protocol.channelEOF(0)
  for (let at = 0; at < 5; at++) protocol.channelData(0, Buffer.from('after the end'))
  protocol.channelData(99, Buffer.from('to no channel'))
  channel.resume()
  await Promise.race([once(channel, 'close'), once(client, 'close')])
  client.end()
  await checkService(rig, container)
})

onGateway('variables are few, and more of them are refused without an end of the channel', async (rig) => {
  const container = await rig.make()
  const client = await rig.connect(await rig.open(container))
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const name = (at: number) => `LC_${[at / 676, at / 26, at].map((digit) => letters[Math.floor(digit) % 26]).join('')}`
  const env = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [name(at), 'x'.repeat(256)]))
  const channel = await exec(client, 'env | grep -c ^LC_; env | grep -o ^LC_AAA', { env })
  assert.equal(String(await buffer(channel)), '32\nLC_AAA\n')
  client.end()
})
