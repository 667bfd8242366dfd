import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnectionLimit } from '../../../base/web/sockets.ts'
import type { Event } from '../../src/events.ts'
import { requestFrom, openMany, manyAddresses, connectFrom, until } from '../../../base/test/callers.ts'
import { page } from '../support/example-routes.ts'
import { startRaw, startSlow } from '../support/raw-service.ts'
import type { ServiceOptions } from '../support/service.ts'
import { startManager, token } from '../operator/manager.ts'

const [here, neighbour, elsewhere] = ['127.0.0.1', '127.0.0.9', '127.0.7.1']

const held = (sockets: readonly Socket[]): boolean[] => sockets.map(({ destroyed }) => !destroyed)
const countOf = (sockets: readonly Socket[]): number => held(sockets).filter(Boolean).length
const limited = (connectionsPerAddress: number, more: object = {}): ServiceOptions => ({
  file: { limits: { connectionsPerAddress }, ...more },
})

test('when one network holds too many sockets, the longest idle one is closed', manyAddresses, async (t) => {
  const { service, get, open } = await startRaw(t, limited(10))
  const before = await openMany(3, () => connectFrom(service.port, elsewhere))
  const flood = await openMany(10, (i) => connectFrom(service.port, i % 2 ? here : neighbour))
  // a whole request makes a socket recent again, and incomplete bytes do not
  flood[0]?.write(get('/healthz'))
  flood[1]?.write('GET /healthz HTTP/1.1\r\nX-Dripping: ')
  await sleep(100)
  const more = await openMany(4, () => connectFrom(service.port, here))
  await until('four are let go of', () => countOf(flood) === 6)
  const gone = [1, 2, 3, 4]
  assert.deepEqual(
    held(flood),
    flood.map((_, i) => !gone.includes(i)),
  )
  assert.equal(countOf(more), 4)
  assert.equal(countOf(before), 3, 'other networks keep theirs')
  assert.equal((await requestFrom(service.port, here, { key: service.key })).status, 200, 'a new caller is heard')
  for (const socket of [...before, ...flood, ...more]) socket.destroy()
  await until('nothing is left', async () => (await open()) === 0)
})

test('a socket with a request in progress is never closed: if all have one, the new socket is closed', async (t) => {
  const { service, get, waiting, release } = await startSlow(t, limited(6))
  const get1 = get(`/v1/connections/acme${page.path}?limit=1`)
  const busy = await openMany(3, (i) => connectFrom(service.port, here, get1.replace('limit=1', `limit=${i + 1}`)))
  const idle = await openMany(3, () => connectFrom(service.port, here))
  await until('three wait', () => waiting.length === 3)
  const more = await openMany(3, (i) => connectFrom(service.port, here, get1.replace('limit=1', `limit=${i + 4}`)))
  await until('six wait', () => waiting.length === 6)
  assert.deepEqual([countOf(busy), countOf(idle), countOf(more)], [3, 0, 3])
  const [late] = await openMany(1, () => connectFrom(service.port, here, get('/healthz')))
  await until('the new one is closed', () => late?.destroyed === true)
  const answers = [...busy, ...more].map(
    (socket) => new Promise<string>((ok) => socket.once('data', (part) => ok(String(part).slice(9, 12)))),
  )
  release()
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['200']))
  assert.equal((await service.ask('/healthz')).status, 200, 'answered, they are silent and can go')
  for (const socket of [...busy, ...more]) socket.destroy()
})

test('every socket closed over the limit is logged, and trusted proxies have no limit', async (t) => {
  const { service } = await startRaw(t, limited(5))
  const flood = await openMany(60, () => connectFrom(service.port, here))
  await until('five are left', () => countOf(flood) === 5)
  const told = service.events.filter((event) => event.kind === 'crowded')
  assert.equal(told.length, 55)
  for (const event of told) assert.deepEqual(event, { kind: 'crowded', from: here, sockets: 6 })
  for (const socket of flood) socket.destroy()

  const trusting = await startRaw(t, limited(5, { trustedProxies: [here] }))
  const proxied = await openMany(20, () => connectFrom(trusting.service.port, here))
  assert.equal((await trusting.service.ask('/healthz')).status, 200)
  await sleep(100)
  assert.equal(countOf(proxied), 20)
  assert.ok(!trusting.service.events.some(({ kind }) => kind === 'crowded'))
  for (const socket of proxied) socket.destroy()
})

test('when the total of sockets is too high, the longest idle one is closed, from whichever network', () => {
  const events: Event[] = []
  const crowd = createConnectionLimit({
    most: 3,
    mostInAll: 5,
    isTrusted: (address) => address.startsWith('10.'),
    observe: (event) => events.push(event),
  })
  const enter = (remoteAddress: string | undefined) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
    crowd.enter(socket)
    return socket
  }
  const proxies = [enter('10.0.0.1'), enter('10.0.0.1')]
  const others = ['192.0.2.1', '2001:db8::1', '198.51.100.1'].map(enter)
  crowd.busy(others[0]!)
  assert.deepEqual(held(others), [true, true, true])
  others.push(enter('203.0.113.1'))
  assert.deepEqual(held(others), [true, false, true, true])
  assert.deepEqual(events.splice(0), [{ kind: 'crowded', from: '203.0.113.1', sockets: 6 }])
  crowd.idle(others[0]!)
  others.push(enter(undefined))
  assert.deepEqual(held(others), [true, false, false, true, true])
  for (const socket of others) crowd.busy(socket)
  assert.equal(enter('203.0.113.9').destroyed, true)
  assert.deepEqual(held(proxies), [true, true])
  assert.equal(enter('10.0.0.2').destroyed, false, 'a proxy is accepted')
})

test('the operator endpoint answers even if a flood holds all of its sockets', async (t) => {
  const { port, ask } = await startManager(t, limited(5))
  const flood = await openMany(30, () =>
    connectFrom(port, here, `GET /operator/v1/vault HTTP/1.1\r\nX: ${token.slice(0, 3)}`),
  )
  assert.equal((await ask('GET', '/vault')).status, 200)
  await until('four are left', () => countOf(flood) <= 5)
  for (const socket of flood) socket.destroy()
})
