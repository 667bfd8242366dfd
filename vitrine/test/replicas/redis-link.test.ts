// The link to a Redis that answers late, refuses, or reads nothing.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/events.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { script } from '../../../base/redis/script.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'
import { listenForTest } from '../support/scripted-redis.ts'

const skip = noRedis

async function startServer(t: TestContext, serve: (socket: Socket) => void) {
  const { port, ...server } = await listenForTest(t, createServer(serve))
  return { ...server, url: `redis://127.0.0.1:${port}` }
}

async function openLink(t: TestContext, url: string) {
  const events: Event[] = []
  const redis = await openRedis({
    url,
    prefix: ['vitrine', randomBytes(6).toString('hex')],
    steady: () => performance.now(),
    observe: (event) => events.push(event),
  })
  t.after(() => redis.close())
  return { redis, events }
}

/** answers the commands that the link itself sends, and every other with `others` */
const answerAll = (others: () => string | undefined) => (socket: Socket) => {
  const known: Readonly<Record<string, string>> = { PING: '+PONG\r\n', SET: '+OK\r\n', EVALSHA: ':1\r\n' }
  socket.on('data', (piece) => {
    for (const [, name = ''] of String(piece).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
      socket.write(known[name] ?? others() ?? '')
  })
}

test(
  'a reply that comes after the wait for it is never taken for a later one',
  { skip, timeout: 30_000 },
  async (t) => {
    const proxy = await startTcpProxy({ port: Number(new URL(redisUrl).port || 6379) })
    t.after(() => proxy.close())
    const { redis } = await openLink(t, `redis://127.0.0.1:${proxy.port}`)
    for (let round = 0; round < 3; round++) {
      await until(() => redis.isUp(), 5_000)
      proxy.delay(200)
      const late = ['a', 'b', 'c'].map((text) => redis.ask('ECHO', `late ${text} ${round}`))
      assert.deepEqual(await Promise.all(late), [undefined, undefined, undefined])
      proxy.delay(0)
      await until(() => redis.isUp(), 5_000)
      for (let n = 0; n < 20; n++) {
        const text = `${round} ${n}`
        const answers = await Promise.all([redis.ask('ECHO', text), redis.ask('ECHO', `${text} also`)])
        for (const [at, wanted] of [text, `${text} also`].entries())
          assert.ok(answers[at] === undefined || answers[at] === wanted, String(answers[at]))
      }
    }
  },
)

for (const code of ['LOADING', 'READONLY', 'MASTERDOWN', 'MOVED', 'CLUSTERDOWN', 'BUSY'])
  test(`a Redis that answers everything with ${code} is down for that reason, and up again after it`, async (t) => {
    let isRefusing = true
    const { url, made } = await startServer(t, (socket) =>
      socket.on('data', (piece) => {
        for (const [, name = ''] of String(piece).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
          const good = name === 'PING' ? '+PONG\r\n' : '+OK\r\n'
          socket.write(isRefusing ? `-${code} it is so\r\n` : good)
        }
      }),
    )
    const { redis, events } = await openLink(t, url)
    assert.equal(redis.isUp(), false)
    assert.equal(redis.state().reason, code)
    assert.equal(await redis.ask('GET', 'x'), undefined)
    await sleep(1_000)
    assert.ok(made() <= 12, `${made()} connections`)
    isRefusing = false
    await until(() => redis.isUp(), 5_000)
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['redis_away', 'redis_back'],
    )
  })

test('a server that reads nothing more is sent little, and left after two seconds', { timeout: 30_000 }, async (t) => {
  let isDeaf = false
  const { url, sockets, made } = await startServer(t, (socket) => {
    if (isDeaf) socket.pause()
    else answerAll(() => '+OK\r\n')(socket)
  })
  const { redis } = await openLink(t, url)
  assert.equal(redis.isUp(), true)
  isDeaf = true
  for (const socket of sockets) socket.removeAllListeners('data').pause()
  const value = Buffer.alloc(1024 * 1024)
  const before = process.memoryUsage()
  const from = performance.now()
  let asked = 0
  for (; performance.now() - from < 1_500; asked++) {
    assert.equal(await redis.ask('SET', 'x', value), undefined)
    await sleep(1)
  }
  assert.ok(asked > 200)
  const grown = (process.memoryUsage().rss - before.rss) / value.length
  assert.ok(grown < 100, `${grown} MiB`)
  await until(() => made() >= 2, 8_000)
})

test('a script that the server has lost while others wait is run once for each', { skip }, async (t) => {
  const { redis } = await openLink(t, redisUrl)
  const add = script(`return redis.call('INCR', KEYS[1]) -- ${randomBytes(6).toString('hex')}`)
  const name = redis.name('sum')
  const sums = await Promise.all(Array.from({ length: 20 }, () => redis.run(add, [name], [])))
  await redis.ask('PEXPIRE', name, 1_000)
  assert.deepEqual(
    sums.map(Number).sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, n) => n + 1),
  )
})

test('a pause is no reason to leave a connection that was answered shortly before', { timeout: 20_000 }, async (t) => {
  let isSilent = false
  const { url, made } = await startServer(t, (socket) => {
    const known: Readonly<Record<string, string>> = { PING: '+PONG\r\n', SET: '+OK\r\n' }
    socket.on('data', (piece) => {
      const names = [...String(piece).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)]
      const text = names.map(([, name = '']) => known[name] ?? ':1\r\n').join('')
      if (isSilent) void sleep(600).then(() => socket.write(text))
      else socket.write(text)
    })
  })
  const { redis } = await openLink(t, url)
  // longer than a silent connection is kept
  await sleep(3_000)
  isSilent = true
  assert.equal(await redis.ask('GET', 'x'), undefined)
  isSilent = false
  await until(() => redis.isUp(), 5_000)
  assert.equal(made(), 1)
})

test('a connection that carries nothing any more is noticed and left though no caller asks', { skip }, async (t) => {
  const proxy = await startTcpProxy({ port: Number(new URL(redisUrl).port || 6379) })
  t.after(() => proxy.close())
  const { redis, events } = await openLink(t, `redis://127.0.0.1:${proxy.port}`)
  assert.equal(redis.isUp(), true)
  const stateAtBack: boolean[] = []
  redis.whenBack(() => stateAtBack.push(redis.isUp()))
  proxy.setState('frozen')
  await until(() => !redis.isUp(), 6_000)
  assert.equal(redis.state().reason, 'no_answer')
  proxy.setState('whole')
  await until(() => redis.isUp(), 6_000)
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['redis_away', 'redis_back'],
  )
  assert.deepEqual(stateAtBack, [true])
})
