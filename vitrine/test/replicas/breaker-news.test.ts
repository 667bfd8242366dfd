import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBreakerNews } from '../../src/replicas/breaker-news.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'

const steady = () => performance.now()

/** the replicas of one installation, and every message they published */
async function begin(t: TestContext) {
  const installation = randomBytes(8).toString('hex')
  const open = async () => {
    const redis = await openRedis({ url: redisUrl, prefix: ['vitrine', installation], observe: () => {}, steady })
    t.after(redis.close)
    return redis
  }
  const [one, other] = [await open(), await open()]
  const words: string[] = []
  other.listen(one.name('hearsay'), (message) => void words.push(message.toString().split(' ').slice(1).join(' ')))
  const [a, b] = [createBreakerNews(one, steady), createBreakerNews(other, steady)]
  // there is no notification once a subscription is active
  await until(async () => {
    a.of('first').tell('down')
    await sleep(20)
    return words.length > 0
  })
  return { a, b, words }
}

test(
  'a replica reports that the platform does not answer, and once that it answers again',
  { skip: noRedis },
  async (t) => {
    const { a, b, words } = await begin(t)
    assert.equal(a.of('n').answeredAt(), Number.NEGATIVE_INFINITY)
    words.length = 0
    // the state has not changed, so nothing is published
    b.of('n').tell('alive')
    a.of('n').tell('down')
    await until(() => words.length > 0)
    const from = steady()
    b.of('n').tell('alive')
    b.of('n').tell('alive')
    await until(() => a.of('n').answeredAt() > from)
    assert.equal(a.of('other').answeredAt(), Number.NEGATIVE_INFINITY)
    await until(() => words.length > 1)
    await sleep(50)
    assert.deepEqual(words, ['down n', 'alive n'])
    // a replica ignores its own message
    assert.equal(b.of('n').answeredAt(), Number.NEGATIVE_INFINITY)
  },
)

test('a replica that failed too still reports its next answer to the others', { skip: noRedis }, async (t) => {
  const { a, b, words } = await begin(t)
  words.length = 0
  a.of('n').tell('down')
  await until(() => words.length > 0)
  b.of('n').tell('down')
  const from = steady()
  b.of('n').tell('alive')
  await until(() => a.of('n').answeredAt() > from)
})
