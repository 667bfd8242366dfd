// A malicious or broken server that speaks the Redis protocol: callers only lose the benefit of sharing.
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/events.ts'
import { createSealedMessages } from '../../../base/redis/sealed-messages.ts'
import { createSharedQuotas } from '../../src/replicas/shared-quota.ts'
import { createSharedRates } from '../../src/replicas/shared-rates.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { script } from '../../../base/redis/script.ts'
import { createSessionStore } from '../../src/replicas/session-store.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'

type Answer = (command: string, socket: Socket) => string | Buffer | undefined

const known: Readonly<Record<string, string>> = {
  hello: '%2\r\n+proto\r\n:3\r\n+version\r\n+7.0.0\r\n',
  info: '$11\r\nloading:0\r\n\r\n',
  ping: '+PONG\r\n',
  subscribe: '>3\r\n+subscribe\r\n+x\r\n:1\r\n',
}

async function startHostile(t: TestContext, answer: Answer) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (piece) => {
      for (const [, name = ''] of String(piece).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        const command = name.toLowerCase()
        socket.write(answer(command, socket) ?? known[command] ?? '+OK\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const events: Event[] = []
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  const steady = () => performance.now()
  const redis = await openRedis({ url, prefix: ['vitrine', 'x'], steady, observe: (event) => events.push(event) })
  t.after(async () => {
    await redis.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { redis, events, text: () => JSON.stringify(events) }
}

const much = 'x'.repeat(4 * 1024 * 1024)
const toAll: Readonly<Record<string, Answer>> = {
  'a subscription that is answered with a number': (command) => (command === 'subscribe' ? ':1\r\n' : undefined),
  'a subscription that is answered with nil': (command) => (command === 'subscribe' ? '$-1\r\n' : undefined),
  'a message of nil': (command) =>
    command === 'subscribe' ? `${known['subscribe']}>3\r\n+message\r\n_\r\n_\r\n` : undefined,
  'nil as an answer to nothing': (command) => (command === 'get' ? '+OK\r\n$-1\r\n' : undefined),
  'an unrequested nil': (command) => (command === 'get' ? '>1\r\n_\r\n+OK\r\n' : undefined),
  'no language at all': (command) => (command === 'get' ? 'HTTP/1.1 400 Bad Request\r\n\r\n' : undefined),
  'megabytes of a reason': (command) => (command === 'get' ? `-ERR ${much}\r\n` : undefined),
  'unrequested megabytes': (command) => (command === 'get' ? `+OK\r\n+${much}\r\n` : undefined),
}

for (const [what, answer] of Object.entries(toAll))
  test(`${what} ends no process, and writes no long log line`, { timeout: 20_000 }, async (t) => {
    const { redis, text } = await startHostile(t, answer)
    redis.listen('x', () => {})
    // whatever is thrown to the process fails the test
    for (let n = 0; n < 5; n++) {
      await redis.ask('GET', 'x')
      await sleep(30)
    }
    assert.ok(text().length < 5_000, `${text().length} characters`)
  })

test('a connection that breaks during a subscription ends no process', { timeout: 20_000 }, async (t) => {
  let subscribed = 0
  const { redis } = await startHostile(t, (command, socket) => {
    if (command === 'subscribe' && subscribed++ > 0) socket.destroy()
    if (command === 'subscribe') setTimeout(() => socket.destroy(), 20)
    return undefined
  })
  redis.listen('x', () => {})
  await until(() => subscribed > 3)
})

test('an endless answer fills no memory', { timeout: 30_000 }, async (t) => {
  const piece = Buffer.alloc(1024 * 1024)
  let [sent, isClosed] = [0, false]
  const { redis } = await startHostile(t, (command, socket) => {
    if (command !== 'get') return undefined
    const pump = () => {
      while (!socket.destroyed && sent < 600 && socket.write(piece)) sent++
    }
    socket.on('drain', pump).on('close', () => (isClosed = true))
    setImmediate(pump)
    return '$2000000000\r\n'
  })
  await redis.ask('GET', 'x')
  await until(() => isClosed || sent >= 600, 20_000)
  assert.ok(sent < 200, `${sent} MiB`)
})

const odd = [
  ':-5',
  '+x',
  '$-1',
  '*0',
  '*2\r\n:-9000000\r\n:60000',
  '*2\r\n+a\r\n+b',
  '*3\r\n:1\r\n:5\r\n$-1',
  '*9' + '\r\n:0'.repeat(9),
]
odd.push('*9\r\n:0\r\n:9000000000000000' + '\r\n:9000000000000000'.repeat(7), '*1\r\n*1\r\n:1')

for (const answer of odd)
  test(`where ${JSON.stringify(answer)} is the answer to everything, each goes on with its part`, async (t) => {
    const { redis } = await startHostile(t, (command) => (command.startsWith('eval') ? `${answer}\r\n` : undefined))
    const rates = createSharedRates({ standard: 0, redis, replicas: () => 2 })
    let admitted = 0
    for (let n = 0; n < 20; n++) {
      const told = await rates.take({ id: 'key', perMinute: 10 })
      if (told?.allowed) admitted++
      for (const value of [told?.remaining, told?.resetSec]) assert.ok(Number.isInteger(value), String(value))
    }
    assert.equal(admitted, 5)

    const sharedQuota = createSharedQuotas({ redis, holdMs: 1_000, mostInFlight: () => 2 })('key')
    assert.equal(await sharedQuota.reserve('1', false), undefined)

    const seal = createSealedMessages(Buffer.alloc(32), 'sessions')
    const store = createSessionStore({ redis, seal, idleMs: 1_000, longestMs: 2_000, most: 5 })
    assert.ok([undefined, null].includes((await store.find('a')) as undefined))
    assert.equal((await redis.run(script('return 1'), [], [])) === 1, false)
  })

test("a count that is lost again and again never exceeds the key's limit", { skip: noRedis }, async (t) => {
  const installation = randomBytes(6).toString('hex')
  const steady = () => performance.now()
  const redis = await openRedis({ url: redisUrl, prefix: ['vitrine', installation], steady, observe: () => {} })
  t.after(() => redis.close())
  const rates = createSharedRates({ standard: 0, redis, replicas: () => 1 })
  const name = redis.name('rate', hash('sha256', 'key', 'base64url'))
  let admitted = 0
  for (let n = 0; n < 30; n++) {
    if ((await rates.take({ id: 'key', perMinute: 10 }))?.allowed) admitted++
    await redis.ask('DEL', name)
    await sleep(10)
  }
  assert.equal(admitted, 10)
})
