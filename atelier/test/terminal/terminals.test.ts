// Terminals over WebSocket, on an engine in memory: who may open one, what a client may say, and what ends it.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { connect } from 'node:net'
import test, { type TestContext } from 'node:test'
import type { WebSocket } from 'ws'
import { sendRaw } from '../../../base/test/raw-client.ts'
import { until } from '../../../base/test/until.ts'
import { createSessions } from '../../src/accounts/sessions.ts'
import { watchPeer } from '../../src/terminal/peer-watch.ts'
import { openUsedRig } from '../service-rig.ts'
import { connectTerminal, headersOf, type TerminalLogin } from './client.ts'

const origin = 'http://127.0.0.1:8090'

async function openRig(t: TestContext) {
  const { rig, account, key, keyId, create } = await openUsedRig(t, { settings: { publicUrl: origin } })
  const { store } = rig.service.core
  const sessions = createSessions({ rows: store.sessions, secret: await store.secret('sessions'), now: Date.now })
  const { cookie } = await sessions.begin(account)
  const { id } = (await create()).body as { id: string }
  const place = `containerId=${id}`
  const session = { cookie, origin }
  return {
    rig,
    account,
    key,
    keyId,
    id,
    place,
    session,
    sessions,
    cookie,
    create,
    open: (login: TerminalLogin = session, query = place) => connectTerminal(rig.service.url, query, login),
    get: (query: string, login: TerminalLogin) =>
      rig.call('GET', `/containers/terminal?${query}`, { headers: headersOf(login) }),
    command: () => rig.engine.commandsOf(id)[0],
    port: Number(new URL(rig.service.url).port),
  }
}

const handshake = (query: string, fields: readonly string[]) =>
  [
    `GET /containers/terminal?${query} HTTP/1.1`,
    'Host: a',
    'Connection: Upgrade',
    'Upgrade: websocket',
    ...fields,
    '',
    '',
  ].join('\r\n')

const proper = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']

test('a session and a key open a terminal; input, output and sizes pass; its end is told', async (t) => {
  const { rig, open, command, session, key, place, id, account, keyId } = await openRig(t)
  const one = await open(session, `${place}&columns=100&rows=30`)
  await until(() => command() !== undefined)
  assert.deepEqual(command()?.template.tty, { columns: 100, rows: 30 })
  assert.deepEqual(command()?.template.argv, ['/bin/sh'])
  command()?.say('héllo')
  await one.shows('héllo')
  one.type('ls\r')
  one.tell({ type: 'resize', columns: 120, rows: 40 })
  await until(() => command()?.heard === 'ls\r' && command()?.sizes.length === 1)
  assert.deepEqual(command()?.sizes, [[120, 40]])
  command()?.end(3)
  assert.deepEqual(await one.closed, { code: 1000, reason: 'The shell has ended.' })
  const [start, exit] = one.said
  assert.deepEqual([start?.type, exit?.type, exit?.['exitCode'], exit?.['signal']], ['start', 'exit', 3, null])
  const two = await open({ key })
  two.ws.close()
  await until(() => rig.service.events.filter(({ kind }) => kind === 'terminal_closed').length === 2)
  const told = rig.service.events.filter(({ kind }) => kind === 'terminal_opened')
  const opened = { kind: 'terminal_opened', containerId: id, accountId: account, from: '127.0.0.1' }
  assert.partialDeepStrictEqual(told, [opened, { ...opened, keyId }])
  assert.equal('keyId' in (told[0] ?? {}), false)
  const served = rig.service.events.filter((one) => one.kind === 'served' && one.operation === 'openTerminal')
  assert.deepEqual(
    served.map((one) => (one as { status: number }).status),
    [101, 101],
  )
})

test('a terminal is refused without a credential, from another origin, for a scope, and for what is not there', async (t) => {
  const { rig, get, place, cookie, session, key, account, port, open } = await openRig(t)
  const narrow = (await rig.key(account, ['exec'])).text
  const other = (await rig.key(await rig.account())).text
  const raw = async (fields: readonly string[], query = place) => {
    const { answers, closed } = await sendRaw(port, handshake(query, [...proper, ...fields]), { mostMs: 20_000 })
    assert.ok(closed)
    return [answers[0]?.status, answers[0]?.json?.error.type]
  }
  const withCookie = `Cookie: atelier_session=${cookie}`
  assert.deepEqual(await raw([]), [401, 'unauthorized'])
  for (const from of [[], ['Origin: null'], [`Origin: ${origin}.evil.example`], ['Origin: http://127.0.0.1:8091']])
    assert.deepEqual(await raw([withCookie, ...from]), [403, 'csrf_failed'], from.join())
  assert.deepEqual(await raw([`Authorization: Bearer ${narrow}`]), [403, 'forbidden'])
  assert.deepEqual(await raw([`Authorization: Bearer ${other}`]), [404, 'container_not_found'])
  assert.deepEqual(await raw([`Authorization: Bearer ${key}`], `${place}&columns=0`), [400, 'invalid_request'])
  // a page asks without the handshake why it was refused
  const plain = await get(place, session)
  assert.deepEqual([plain.status, plain.headers['upgrade']], [426, 'websocket'])
  assert.equal((await get(place, { cookie })).status, 426)
  const ill = await sendRaw(port, handshake(place, [`Authorization: Bearer ${key}`, 'Sec-WebSocket-Version: 8']))
  assert.equal(ill.answers[0]?.status, 426)
  for (let at = 0; at < 4; at++) await open()
  assert.deepEqual(await raw([withCookie, `Origin: ${origin}`]), [429, 'terminal_limit'])
  assert.equal((await get(place, session)).status, 429)
  await rig.call('DELETE', `/containers?id=${place.split('=')[1]}`, { key })
  assert.deepEqual(await raw([withCookie, `Origin: ${origin}`]), [409, 'container_not_running'])
})

test('a terminal ends with its session, its key, its container and the service, each by a code of its own', async (t) => {
  const { rig, open, session, cookie, sessions, account, id, key, create } = await openRig(t)
  const second = await rig.key(account)
  const byKey = await open({ key: second.text })
  const bySession = await open()
  await sessions.end(cookie)
  await rig.service.core.store.keys.revoke(second.key.id, Date.now())
  for (const one of [byKey, bySession]) assert.equal((await one.closed).code, 4401)
  await until(() => rig.engine.commandsOf(id).length === 0)
  await assert.rejects(open(session))
  const third = await open({ key })
  await rig.call('DELETE', `/containers?id=${id}&graceSeconds=0`, { key })
  assert.deepEqual(await third.closed, { code: 4409, reason: 'The container has ended.' })
  const next = ((await create()).body as { id: string }).id
  const last = await open({ key }, `containerId=${next}`)
  await until(() => rig.engine.commandsOf(next).length === 1)
  await rig.service.close()
  assert.deepEqual(await last.closed, { code: 1012, reason: 'The service is restarting.' })
  assert.equal(rig.engine.commandsOf(next).length, 0)
})

/** a frame of a client, masked with zeros: its bytes stay as they are */
function frame(opcode: number, payload: Buffer, { masked = true, length = payload.length } = {}): Buffer {
  const head = Buffer.alloc(10)
  head[0] = 0x80 | opcode
  head[1] = (masked ? 0x80 : 0) | 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload])
}

/** the code of the close frame, which is the last that comes */
async function codeFor(port: number, query: string, key: string, bytes: Buffer): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' })
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part)).on('error', () => {})
  socket.write(handshake(query, [...proper, `Authorization: Bearer ${key}`]))
  await until(() => Buffer.concat(parts).includes('"start"'), 30_000)
  parts.length = 0
  socket.write(bytes)
  const close = () => Buffer.concat(parts).indexOf(0x88)
  await until(() => close() >= 0 && Buffer.concat(parts).length >= close() + 4, 30_000)
  socket.destroy()
  return Buffer.concat(parts).readUInt16BE(close() + 2)
}

test('a hostile client is closed with the code of what it did', async (t) => {
  const { rig, port, place, key, id } = await openRig(t)
  const [text, binary] = [1, 2]
  const cases: readonly (readonly [bytes: Buffer, code: number])[] = [
    [frame(binary, Buffer.from('x'), { masked: false }), 1002],
    [frame(3, Buffer.from('x')), 1002],
    [frame(binary, Buffer.alloc(70_000)), 1009],
    [frame(binary, Buffer.from('x'), { length: 2 ** 40 }), 1009],
    [frame(text, Buffer.from([0xff, 0xfe])), 1007],
    [frame(text, Buffer.from('{')), 1008],
    [frame(text, Buffer.from('{"type":"resize","columns":1e9,"rows":2}')), 1008],
    [frame(text, Buffer.from('{"type":"resize","columns":80,"rows":24,"x":1}')), 1008],
    [frame(text, Buffer.from('{"type":"taken","bytes":99999}')), 1008],
    [frame(text, Buffer.alloc(2_000, ' ')), 1009],
  ]
  for (const [bytes, code] of cases)
    assert.equal(await codeFor(port, place, key, bytes), code, bytes.subarray(0, 60).toString())
  await until(() => rig.engine.commandsOf(id).length === 0)
})

test('thousands of sizes come to few calls, the last of which counts', async (t) => {
  const { open, command } = await openRig(t)
  const one = await open()
  for (let rows = 1; rows <= 1_000; rows++) one.tell({ type: 'resize', columns: 80, rows })
  for (let rows = 1; rows <= 1_000; rows++) one.tell({ type: 'resize', columns: 90, rows })
  await until(() => command()?.sizes.at(-1)?.join() === '90,1000')
  assert.ok((command()?.sizes.length ?? 0) < 200)
})

test('output waits for a client that confirms what it has taken', async (t) => {
  const { open, session, place, command } = await openRig(t)
  const one = await open(session, `${place}&window=4096`)
  await until(() => command() !== undefined)
  for (let at = 0; at < 20; at++) command()?.say('x'.repeat(1_024))
  await until(() => one.output().length === 4_096)
  // a round trip later nothing more has come
  one.type('on')
  await until(() => command()?.heard === 'on')
  assert.equal(one.output().length, 4_096)
  one.tell({ type: 'taken', bytes: 4_096 })
  await until(() => one.output().length === 8_192)
})

test('a peer that answers no more pings is cut off; one whose input waits is not asked', async () => {
  class FakePeer extends EventEmitter {
    isPaused = true
    pings = 0
    isCut = false
    bufferedAmount = 0
    readonly pongs: string[] = []
    ping() {
      this.pings += 1
      if (this.pings <= 10) this.emit('pong')
    }
    pong(data: string) {
      this.pongs.push(data)
    }
    terminate() {
      this.isCut = true
      this.emit('close')
    }
  }
  const peer = new FakePeer()
  watchPeer(peer as unknown as WebSocket, 1)
  await new Promise((ok) => setTimeout(ok, 20))
  assert.equal(peer.pings, 0)
  peer.isPaused = false
  await until(() => peer.isCut)
  assert.equal(peer.pings, 13)
  // answers pile up for a peer that only writes
  peer.emit('ping', 'a')
  peer.bufferedAmount = 2 ** 20
  peer.emit('ping', 'b')
  assert.deepEqual(peer.pongs, ['a'])
})
