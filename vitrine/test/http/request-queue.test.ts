import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import test from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { RequestQueue } from '../../../base/web/request-queue.ts'
import { connectFrom, until } from '../../../base/test/callers.ts'
import { startRaw } from '../support/raw-service.ts'

interface Played {
  readonly socket: Socket
  readonly answers: ServerResponse[]
  /** as the server does it: false if it is rejected */
  come(hasKey?: boolean): boolean
  /** the first unanswered one leaves */
  leave(): void
}

/** sockets with scripted buffers: real ones take bytes whenever they like */
function play(most: object) {
  const started: string[] = []
  const starts = new RequestQueue(most)
  const open = (name: string, network = 'here'): Played => {
    const socket = Object.assign(new EventEmitter(), {
      destroyed: false,
      writableEnded: false,
      writableLength: 0,
    }) as never as Socket
    const answers: ServerResponse[] = []
    let count = 0
    return {
      socket,
      answers,
      come(hasKey = false) {
        const coming = { socket, answers, network: () => network, hasKey }
        if (!starts.admits(coming)) return false
        const res = Object.assign(new EventEmitter(), { writableLength: 0 }) as never as ServerResponse
        answers.push(res)
        const one = `${name}${++count}`
        starts.enter({ ...coming, res, start: () => started.push(one) })
        return true
      },
      leave() {
        answers.shift()?.emit('close')
      },
    }
  }
  return { started, open, starts }
}

test('per turn of the event loop, only a fixed number of requests without a key start', async () => {
  const { started, open } = play({ inOneTurn: 4 })
  for (let i = 0; i < 11; i++) open(`${i}:`).come()
  assert.equal(started.length, 4)
  for (const count of [8, 11, 11]) {
    await turn()
    assert.equal(started.length, count)
  }
})

test('the first request of a socket starts at once if it has a key, and takes no turn from others', async () => {
  const { started, open } = play({ inOneTurn: 1 })
  const [flood, one] = [open('f'), open('k')]
  for (let i = 0; i < 5; i++) flood.come()
  one.come(true)
  assert.deepEqual(started, ['f1', 'k1'])
})

test('of many simultaneous requests with a key only a fixed number start at once', async () => {
  const { started, open } = play({ inOneTurn: 2, keyedInOneTurn: 3 })
  for (let i = 0; i < 9; i++) open(`${i}:`).come(true)
  // three at once, and two in the places of requests without a key
  assert.equal(started.length, 5)
  while (started.length < 9) await turn()
})

test('networks take turns, and so do the sockets of one network', async () => {
  const { started, open } = play({ inOneTurn: 1 })
  const [a, b, far] = [open('a'), open('b'), open('far', 'there')]
  for (const socket of [a, a, a, b, far, far]) socket.come()
  while (started.length < 6) await turn()
  assert.deepEqual(started, ['a1', 'a2', 'far1', 'b1', 'far2', 'a3'])
})

test('no request starts on a socket with too many unread bytes until an earlier answer is sent', async () => {
  const { started, open } = play({ unreadBytes: 100 })
  const slow = open('s')
  slow.come()
  const [first] = slow.answers
  Object.assign(first!, { writableLength: 101 })
  slow.come()
  slow.come()
  await turn()
  await turn()
  assert.deepEqual(started, ['s1'])
  slow.leave()
  await turn()
  assert.deepEqual(started, ['s1', 's2', 's3'])
})

test('beyond the limits no pipelined request is accepted, and the first of a socket always is', () => {
  const { open } = play({ inOneTurn: 1, onSocket: 3, ofNetwork: 4, inAll: 6 })
  const one = open('a')
  assert.deepEqual(
    Array.from({ length: 4 }, () => one.come()),
    [true, true, true, false],
  )
  // two wait; with the next two it is four of this network
  const keyed = open('k')
  assert.deepEqual(
    Array.from({ length: 5 }, () => keyed.come(true)),
    [true, true, true, false, false],
  )
  const far = open('f', 'there')
  assert.deepEqual(
    Array.from({ length: 4 }, () => far.come()),
    [true, true, false, false],
  )
  for (const name of ['x', 'y', 'z']) assert.equal(open(name).come(), true)
})

test('requests waiting on a closed socket never start, and free their places', async () => {
  const { started, open, starts } = play({ inOneTurn: 1, ofNetwork: 3, onSocket: 9 })
  const [gone, next] = [open('g'), open('n')]
  for (let i = 0; i < 4; i++) gone.come()
  assert.equal(gone.come(), false)
  starts.gone(gone.socket)
  assert.ok(next.come() && next.come())
  while (started.length < 3) await turn()
  await turn()
  assert.deepEqual(started, ['g1', 'n1', 'n2'])
})

const bare = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

test('of more than 32 requests without a key on one socket 32 are answered, then it is closed', async (t) => {
  const { say, open, service } = await startRaw(t)
  for (const [path, status] of [
    ['/openapi.json', 200],
    ['/v1/nothing', 401],
    ['/errors/no_such', 404],
  ] as const) {
    const { answers, rest, closed } = await say(bare(path).repeat(200), { answers: 200 })
    assert.deepEqual(
      answers.map((one) => one.status),
      Array.from({ length: 32 }, () => status),
    )
    assert.deepEqual([rest, closed, answers.at(-1)?.headers.get('connection')], ['', true, 'close'])
  }
  await until('nothing is left', async () => (await open()) === 0)
  assert.equal((await service.ask('/healthz')).status, 200)
})

test('a caller who reads nothing gets answers only until the socket buffers are full', async (t) => {
  const { service, open } = await startRaw(t)
  await service.ask('/openapi.json')
  const answered = () =>
    service.events.filter((event) => event.kind === 'answered' && event.operation === '/openapi.json').length
  const before = answered()
  const sockets = await Promise.all(Array.from({ length: 4 }, () => connectFrom(service.port, '127.0.0.1')))
  for (const socket of sockets) socket.pause().write(bare('/openapi.json').repeat(30))
  await sleep(500)
  // the network of this machine buffers some megabytes per socket, and each answer has 300 kB
  assert.ok(answered() - before < 4 * 25, `${answered() - before} of 120 were answered`)
  for (const socket of sockets) socket.destroy()
  await until('they are gone', async () => (await open()) === 0)
})
