// The shared answer store by itself, over a real Redis.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../src/events.ts'
import { createSharedAnswers } from '../../src/replicas/shared-answers.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { retryIfDisturbed } from '../../../base/test/retry-scene.ts'

const skip = noRedis

async function openScene(t: TestContext, given: { mostBytes?: number } = {}) {
  const installation = randomBytes(6).toString('hex')
  let away = 0
  const observe = ({ kind }: Event) => void (kind === 'redis_away' && away++)
  const redis = await openRedis({
    url: redisUrl,
    prefix: ['vitrine', installation],
    observe,
    steady: () => performance.now(),
  })
  const secret = randomBytes(32)
  const answersOf = (scope: string, own = secret) => createSharedAnswers({ redis, secret: own, scope, ...given })
  const answers = answersOf('one')
  t.after(() => redis.close())
  const now = async (name = 'a', of = answers) => {
    const there = await of.look(name)
    assert.ok(there)
    return there
  }
  const put = async (name: string, text: string, maxAgeSec = 60) => {
    const { now: asked } = await now(name)
    assert.equal(await answers.put(name, asked, { bytes: Buffer.from(text), maxAgeSec }), true)
    return asked
  }
  const get = async (name = 'a', of = answers) => {
    const { found } = await now(name, of)
    return found && (await of.bytesOf(name, found))?.toString()
  }
  const keys = async () => ((await redis.ask('KEYS', redis.name('answer', '*'))) as string[]).sort()
  return { redis, answers, answersOf, now, put, get, keys, wasDisturbed: () => away > 0 }
}

type Scene = Awaited<ReturnType<typeof openScene>>

const over = (title: string, play: (scene: Scene) => Promise<void>, given = {}) =>
  void test(title, { skip, timeout: 60_000 }, (t) => retryIfDisturbed(() => openScene(t, given), play))

over(
  'an answer is found until it expires, and not under another scope or secret',
  async ({ put, get, keys, redis, answersOf }) => {
    await put('a', 'text', 2)
    await put('b', 'other')
    assert.deepEqual([await get('a'), await get('b'), await get('c')], ['text', 'other', undefined])
    assert.equal(await get('a', answersOf('two')), undefined)
    assert.equal(await get('a', answersOf('one', randomBytes(32))), undefined)
    for (const key of await keys()) assert.ok(Number(await redis.ask('PTTL', key)) > 0)
    await sleep(2_050)
    assert.equal(await get('a'), undefined)
    assert.equal((await keys()).length, 1)
  },
)

over(
  'the count grows with every question, and what was asked for later stays',
  async ({ answers, now, get, redis }) => {
    const [first, second] = [(await now()).now, (await now()).now]
    assert.ok(second.stamp > first.stamp)
    assert.equal(await answers.put('a', second, { bytes: Buffer.from('later'), maxAgeSec: 60 }), true)
    assert.equal(await answers.put('a', first, { bytes: Buffer.from('slow'), maxAgeSec: 60 }), false)
    assert.equal(await get(), 'later')
    assert.equal(await answers.put('a', first, { bytes: undefined, maxAgeSec: 60 }), false)
    const third = (await now()).now
    assert.equal(await answers.put('a', third, { bytes: undefined, maxAgeSec: 60 }), true)
    assert.equal(await get(), undefined)
    assert.equal(await answers.put('a', second, { bytes: Buffer.from('slow'), maxAgeSec: 60 }), false)
    // a clock that was set back after it had been far ahead
    const ahead = third.stamp + 3_600_000_000
    await redis.ask('SET', redis.name('answers', 'count'), String(ahead), 'PX', 60_000)
    const { now: after } = await now()
    assert.ok(after.stamp > ahead)
    assert.ok(after.atMs < third.atMs + 60_000, 'and is no clock')
  },
)

over('bytes that were altered, moved or kept from before open nowhere', async ({ put, get, keys, redis }) => {
  await put('a', 'first')
  const [a = ''] = await keys()
  const old = (await redis.askBytes('HGET', a, 'bytes')) as Buffer
  const oldStamp = String(await redis.ask('HGET', a, 'stamp'))
  await put('a', 'second')
  await put('b', 'of b')
  const b = (await keys()).find((key) => key !== a) ?? ''
  const stamps = await redis.ask('HMGET', b, 'stamp', 'at')
  const ofB = (await redis.askBytes('HGET', b, 'bytes')) as Buffer
  // of another read, with all that belongs to it
  await redis.ask(
    'HSET',
    a,
    'bytes',
    ofB,
    'stamp',
    String((stamps as string[])[0]),
    'at',
    String((stamps as string[])[1]),
  )
  assert.equal(await get('a'), undefined)
  await put('a', 'third')
  await redis.ask('HSET', a, 'bytes', old)
  assert.equal(await get('a'), undefined, 'of an earlier read')
  await redis.ask('HSET', a, 'stamp', oldStamp)
  assert.equal(await get('a'), undefined, 'made young again')
  for (const text of ['', '{"items":[]}', 'x'.repeat(100_000)]) {
    await redis.ask('HSET', a, 'bytes', text, 'stamp', '1', 'at', '1')
    assert.equal(await get('a'), undefined)
  }
  for (const stamp of ['nonsense', '-1', '1e999', '']) {
    await redis.ask('HSET', a, 'stamp', stamp, 'at', stamp)
    assert.equal(await get('a'), undefined)
  }
  assert.equal(await get('b'), 'of b')
})

over(
  'the bytes are bounded in all: the answer that expires first is dropped',
  async ({ put, get, keys, redis }) => {
    for (let n = 0; n < 30; n++) await put(`n${n}`, 'x'.repeat(10_000), 60 + n)
    const there = await keys()
    assert.ok(there.length >= 8 && there.length <= 9, `${there.length}`)
    assert.equal(await get('n29'), 'x'.repeat(10_000))
    assert.equal(await get('n10'), undefined)
    // a replaced answer takes no additional room
    for (let n = 0; n < 30; n++) await put('n29', 'y'.repeat(10_000), 100)
    assert.equal((await keys()).length, there.length)
    // and expired answers are removed
    for (let n = 0; n < 8; n++) await put(`s${n}`, 'z'.repeat(10_000), 1)
    await sleep(1_050)
    await put('last', 'x', 60)
    const sizes = (await redis.ask('HLEN', redis.name('answers', 'sizes'))) as number
    assert.equal(sizes - 1, (await keys()).length)
  },
  { mostBytes: 100_000 },
)
