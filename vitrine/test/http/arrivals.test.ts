// In which order new sockets are read while one network opens many.
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import test from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Arrivals } from '../../../base/web/arrivals.ts'
import { connectFrom, manyAddresses, until } from '../../../base/test/callers.ts'
import { startRaw } from '../support/raw-service.ts'

const [here, neighbour, elsewhere, proxy] = ['192.0.2.1', '192.0.2.77', '198.51.100.1', '203.0.113.1']

function play() {
  const clock = { ms: 0 }
  const begun: string[] = []
  const arrivals = new Arrivals({
    isTrusted: (address) => address === proxy,
    begin: (socket) => begun.push(socket.remoteAddress ?? ''),
    now: () => clock.ms,
  })
  const enter = (remoteAddress: string, times = 1) =>
    Array.from({ length: times }, () => {
      const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
      arrivals.enter(socket)
      return socket
    })
  return { clock, arrivals, enter, takeBegun: () => begun.splice(0) }
}

test('while sockets arrive in each turn, a caller with more than 100 waits, and no other does', async () => {
  const { clock, enter, takeBegun } = play()
  enter(here, 120)
  assert.equal(takeBegun().length, 100)
  enter(neighbour)
  assert.deepEqual(takeBegun(), [neighbour], 'others of its network do not wait')
  for (let i = 0; i < 20; i++) {
    enter(here)
    enter(elsewhere)
    enter(proxy, 200)
    assert.deepEqual(takeBegun(), [elsewhere, ...Array.from({ length: 200 }, () => proxy)])
    await turn()
  }
  for (let i = 0; i < 5; i++) {
    clock.ms += 10
    enter(here)
    assert.deepEqual(takeBegun(), [], 'the older ones come first')
    await turn()
    assert.equal(takeBegun().length, 1, 'one for each hundredth of a second')
  }
})

test('the addresses of one IPv6 network count as one caller', () => {
  const { enter, takeBegun } = play()
  enter('2001:db8::1', 60)
  enter('2001:db8::ff:2', 60)
  assert.equal(takeBegun().length, 100)
})

test('waiting sockets begin as soon as none is left to accept, callers in rotation', async () => {
  const { enter, takeBegun } = play()
  enter(here, 106)
  enter(elsewhere, 103)
  takeBegun()
  await turn()
  assert.deepEqual(takeBegun(), [], 'some were accepted in this turn')
  await turn()
  assert.deepEqual(takeBegun(), [here, elsewhere, here, elsewhere])
  await turn()
  assert.deepEqual(takeBegun(), [here, elsewhere, here, here])
  await turn()
  assert.deepEqual(takeBegun(), [here])
  enter(here)
  assert.deepEqual(takeBegun(), [], 'the rate is used up all the same')
})

test('a socket that is closed while it waits never begins, and the end of listening lets all others begin', async () => {
  const { arrivals, enter, takeBegun } = play()
  enter(here, 100)
  const [gone] = enter(here, 4)
  takeBegun()
  gone?.destroy()
  await turn()
  assert.equal(takeBegun().length, 0)
  arrivals.release()
  assert.equal(takeBegun().length, 3)
  await turn()
  assert.equal(takeBegun().length, 0)
})

test('every request of 400 sockets that one address opens at once is answered', manyAddresses, async (t) => {
  const { service, get } = await startRaw(t)
  const sockets = await Promise.all(Array.from({ length: 400 }, () => connectFrom(service.port, '127.0.0.1')))
  const statuses: string[] = []
  for (const socket of sockets) {
    socket.once('data', (part) => statuses.push(String(part).slice(9, 12)))
    socket.write(get('/healthz'))
  }
  await until('all are answered', () => statuses.length === 400)
  assert.deepEqual(new Set(statuses), new Set(['200']))
  assert.deepEqual(
    service.events.filter(({ kind }) => kind === 'crowded'),
    [],
  )
  for (const socket of sockets) socket.destroy()
})
