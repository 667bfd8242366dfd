// Requests that a program sends without waiting for answers, and programs that leave: the work for both is bounded.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { RequestGate } from '../../src/egress/request-gate.ts'
import { openProxy, readUntil, statusOf } from './proxy-rig.ts'
import { openScene } from './secret-scene.ts'
import { openHttpTarget } from './targets.ts'

/** 16 wait, one is performed, and one piece of 2 KiB may hold more */
const mostTaken = (request: string): number => 17 + Math.ceil(2_048 / request.length)

const pathsIn = (text: string): string[] => [...text.matchAll(/path (\/\d+)\./g)].map(([, path = '']) => path)
const paths = (count: number): string[] => Array.from({ length: count }, (_, i) => `/${i}`)

/** sends no answer until it is released */
function createHeld() {
  const held: (() => void)[] = []
  let isReleased = false
  return {
    seen: () => held.length,
    answer(path: string, res: ServerResponse) {
      const go = () => res.end(`path ${path}.`)
      held.push(go)
      if (isReleased) go()
    },
    release() {
      isReleased = true
      for (const go of held) go()
    },
  }
}

test('of 5,000 requests in a row to a host with a secret that does not answer, few are read', async (t) => {
  const held = createHeld()
  const { host, secure } = await openScene(t, { echo: (req, res) => held.answer(req.url ?? '', res) })
  const entered = t.mock.method(RequestGate.prototype, 'enter')
  const socket = await secure()
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  socket.write(paths(5_000).map(request).join(''))
  await until(() => held.seen() === 1)
  // what could be read meanwhile was
  for (let i = 0; i < 3; i += 1) (await secure()).destroy()
  assert.ok(entered.mock.callCount() <= mostTaken(request('/0')), `${entered.mock.callCount()}`)
  assert.equal(held.seen(), 1)
})

test('requests in a row to a host with a secret are all answered in their order, once it answers', async (t) => {
  const held = createHeld()
  const { host, secure } = await openScene(t, { echo: (req, res) => held.answer(req.url ?? '', res) })
  const socket = await secure()
  socket.write(
    paths(300)
      .map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      .join(''),
  )
  await until(() => held.seen() === 1)
  held.release()
  const said = await readUntil(socket, (text) => text.endsWith('path /299.'))
  assert.deepEqual(pathsIn(said), paths(300))
})

test('of 5,000 requests in a row with a whole URL, one is performed at a time and few wait', async (t) => {
  const held = createHeld()
  const target = await openHttpTarget(t, (req, res) => held.answer(req.url ?? '', res))
  const rig = openProxy(t, { ports: [target.port] })
  const entered = t.mock.method(RequestGate.prototype, 'enter')
  const program = rig.connect()
  const host = `api.example.com:${target.port}`
  const request = (path: string) => `GET http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  program.write(paths(5_000).map(request).join(''))
  await until(() => held.seen() === 1)
  for (let i = 0; i < 3; i += 1) assert.equal(statusOf(await refused(rig.connect())), 400)
  assert.ok(entered.mock.callCount() <= mostTaken(request('/0')), `${entered.mock.callCount()}`)
  assert.deepEqual([held.seen(), rig.connections.taken], [1, 1])
  program.destroy()
  await until(() => rig.connections.taken === 0)
  assert.equal(held.seen(), 1)
})

async function refused(program: ReturnType<ReturnType<typeof openProxy>['connect']>): Promise<string> {
  program.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return readUntil(program)
}

test('pipelined requests with bodies are answered in their order', async (t) => {
  const target = await openHttpTarget(t, (req, res) => res.end(`path ${req.url}.`))
  const rig = openProxy(t, { ports: [target.port] })
  const host = `api.example.com:${target.port}`
  const request = (path: string) => `POST http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 70000\r\n\r\n${'x'.repeat(70_000)}` // prettier-ignore
  const program = rig.connect()
  program.write(paths(40).map(request).join(''))
  const said = await readUntil(program, (text) => text.endsWith('path /39.'))
  assert.deepEqual(pathsIn(said), paths(40))
  assert.ok(target.asked.every(({ body }) => body.length === 70_000))
})

test('CONNECT behind a request that was not answered ends the connection', async (t) => {
  const held = createHeld()
  const target = await openHttpTarget(t, (req, res) => held.answer(req.url ?? '', res))
  const rig = openProxy(t, { ports: [target.port] })
  const host = `api.example.com:${target.port}`
  const program = rig.connect()
  program.write(
    `GET http://${host}/0 HTTP/1.1\r\nHost: ${host}\r\n\r\nCONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  )
  assert.equal(await readUntil(program), '')
  await until(() => rig.connections.taken === 0)
})

/** a host that takes connections and says nothing */
async function openSilent(t: TestContext) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    sockets.push(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}

test('a program that leaves while its host is looked up causes no connection', async (t) => {
  const silent = await openSilent(t)
  const looked = Promise.withResolvers<string[]>()
  const rig = openProxy(t, { ports: [silent.port], resolve: () => looked.promise })
  const program = rig.connect()
  program.write(`CONNECT api.example.com:${silent.port} HTTP/1.1\r\n\r\n`)
  await until(() => rig.connections.taken === 1)
  program.destroy()
  await once(program, 'close')
  looked.resolve(['127.0.0.1'])
  await until(() => rig.connections.taken === 0)
  assert.equal(silent.sockets.length, 0)
})

test('a program that leaves during the handshake with its host leaves no connection', async (t) => {
  const { vault } = await openScene(t)
  const silent = await openSilent(t)
  const rig = openProxy(t, { ports: [silent.port] })
  const program = rig.connect('acc_1', { secretHosts: ['api.example.com'], vault })
  program.write(`CONNECT api.example.com:${silent.port} HTTP/1.1\r\nHost: api.example.com:${silent.port}\r\n\r\n`)
  await until(() => silent.sockets.length === 1)
  await once(silent.sockets[0] ?? assert.fail(), 'data')
  program.destroy()
  // long before the time of a handshake is over
  await until(() => rig.connections.taken === 0, 5_000)
})
