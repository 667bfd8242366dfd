import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { markStoreIn } from '../../src/replicas/revocation-mark-redis.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { noRedis, ownRedis, redisUrl } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'

const skip = noRedis

async function open(t: TestContext, url: string, installation = randomBytes(6).toString('hex')) {
  const redis = await openRedis({
    url,
    prefix: ['vitrine', installation],
    observe: () => {},
    steady: () => performance.now(),
  })
  t.after(() => redis.close())
  return { redis, board: markStoreIn(redis) }
}

test('all replicas read the same mark until one replaces it', { skip }, async (t) => {
  const installation = randomBytes(6).toString('hex')
  const [a, b] = [await open(t, redisUrl, installation), await open(t, redisUrl, installation)]
  const stood = await a.board.read('m1')
  assert.match(stood ?? '', /^[0-9a-f]{40} m1$/)
  assert.equal(await b.board.read('m2'), stood)
  assert.equal(await b.board.replace('m3'), true)
  assert.match((await a.board.read('m4')) ?? '', / m3$/)
  const left = Number(await a.redis.ask('PTTL', a.redis.name('takings')))
  assert.ok(left > 3_600_000 && left <= 24 * 3_600_000)
})

test('a revocation is relayed once', { skip }, async (t) => {
  const { board } = await open(t, redisUrl)
  await board.read('m1')
  await board.relay('m2', 7)
  await board.relay('m3', 7)
  assert.match((await board.read('m9')) ?? '', / m2$/)
  await board.relay('m4', 8)
  assert.match((await board.read('m9')) ?? '', / m4$/)
})

test('a restarted server gives another mark, even for the same value', { skip, timeout: 30_000 }, async (t) => {
  const own = await ownRedis()
  t.after(() => own.kill())
  const { redis, board } = await open(t, own.url)
  await board.replace('m1')
  const before = await board.read('m2')
  await own.kill()
  assert.equal(await board.read('m2'), undefined)
  assert.equal(await board.replace('m2'), false)
  await assert.rejects(board.relay('m2', 1))
  await own.start()
  await until(() => redis.isUp())
  await board.replace('m1')
  const after = await board.read('m2')
  assert.match(after ?? '', / m1$/)
  assert.notEqual(after, before)
})

test('a Redis replica gives no mark', { skip, timeout: 30_000 }, async (t) => {
  const [first, copy] = [await ownRedis(), await ownRedis()]
  t.after(() => Promise.all([first.kill(), copy.kill()]))
  const { redis, board } = await open(t, copy.url)
  await redis.ask('REPLICAOF', '127.0.0.1', first.port)
  assert.equal(await board.read('m1'), undefined)
  assert.equal(await board.replace('m1'), false)
})
