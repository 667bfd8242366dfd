import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHearsay } from '../../src/replicas/hearsay.ts'
import { openRedis } from '../../src/replicas/redis.ts'
import { noRedis, redisUrl } from '../ground/redis.ts'
import { until } from '../ground/until.ts'

const steady = () => performance.now()

/** what replicas of one installation say, and everything that was said */
async function begin(t: TestContext) {
  const installation = randomBytes(8).toString('hex')
  const open = async () => {
    const redis = await openRedis({ url: redisUrl, installation, observe: () => {}, steady })
    t.after(redis.close)
    return redis
  }
  const [one, other] = [await open(), await open()]
  const words: string[] = []
  other.listen(one.name('hearsay'), (message) => void words.push(message.toString().split(' ').slice(1).join(' ')))
  const [a, b] = [createHearsay(one, steady), createHearsay(other, steady)]
  // nobody says when a subscription stands
  await until(async () => {
    a.of('first').tell('down')
    await sleep(20)
    return words.length > 0
  })
  return { a, b, words }
}

test('who is not answered says so, and who is answered then says that, once', { skip: noRedis }, async (t) => {
  const { a, b, words } = await begin(t)
  assert.equal(a.of('n').answeredAt(), Number.NEGATIVE_INFINITY)
  words.length = 0
  // nobody doubts it: nothing is said
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
  // one's own word is no news
  assert.equal(b.of('n').answeredAt(), Number.NEGATIVE_INFINITY)
})
