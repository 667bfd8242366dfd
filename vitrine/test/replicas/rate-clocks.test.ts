// The clock of a replica and that of Redis differ a little: no reason to believe that Redis lost a count.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { openRedis } from '../../../base/redis/redis.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { createSharedRates } from '../../src/replicas/shared-rates.ts'

const hourMs = 3_600_000
const key = { id: 'key', perMinute: 100 }

test('a budget is whole to its end though a clock is 0.05 % slow', { skip: noRedis }, async (t) => {
  let aheadMs = 0
  const steady = () => performance.now() + aheadMs
  const prefix = ['vitrine', randomBytes(6).toString('hex')]
  const redis = await openRedis({ url: redisUrl, prefix, steady: () => performance.now(), observe: () => {} })
  t.after(() => redis.close())
  const budget = createSharedRates({ standard: 0, redis, replicas: () => 4, windowMs: hourMs, kind: 'budget', steady })
  await budget.take(key)
  const [, [name]] = (await redis.ask('SCAN', '0', 'MATCH', redis.name('*'), 'COUNT', 1_000_000)) as [string, string[]]
  // half an hour later, of which Redis counted 0.9 s less
  aheadMs = hourMs / 2
  await redis.ask('PEXPIRE', String(name), hourMs / 2 + 900)
  assert.equal((await budget.take(key))?.remaining, 98)
  // five minutes more are a loss: this replica has a quarter, less what it took
  await redis.ask('PEXPIRE', String(name), hourMs / 2 + 300_000)
  assert.equal((await budget.take(key))?.remaining, 22)
})
