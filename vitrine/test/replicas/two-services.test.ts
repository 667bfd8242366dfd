// Two services as their operator runs them, over one database and one Redis.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ask, full, type Installation, makeInstallation, operatorToken } from '../stored-connections/program.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, ownRedis } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'

const operate = async (path: string, one: Installation, body?: object) =>
  (await ask(one.operatorUrl, `/operator/v1${path}`, operatorToken, body && { method: 'POST', body })).json

const counts = (one: Installation, replicas: number) =>
  // the operator endpoint opens a moment after the public one
  until(async () => (await operate('/status', one).catch(() => undefined))?.replicas === replicas)

/** so many at once: more would take a busy machine longer than the time in which Redis must answer */
const atOnce = 10

async function answered(one: Installation, key: string, count: number): Promise<number> {
  const all: Awaited<ReturnType<typeof ask>>[] = []
  while (all.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - all.length) }, () => ask(one.url, '/v1/whoami', key))
    all.push(...(await Promise.all(some)))
  }
  assert.deepEqual(
    all.filter(({ status }) => status !== 200 && status !== 429),
    [],
  )
  return all.filter(({ status }) => status === 200).length
}

const timesDown = (both: readonly Installation[]): number =>
  both.reduce((sum, one) => sum + one.said().split('redis_away').length - 1, 0)

const redisStates = (both: readonly Installation[]) =>
  Promise.all(both.map(async (one) => (await operate('/status', one)).redis))

/**
 * A replica that got no answer from Redis in time keeps to its part for a minute, and so does one that started without Redis:
 * the scene is repeated once when that is over. Where that fails too, the test runner repeats the file after all others.
 */
async function exactly(both: readonly Installation[], limit: number, act: () => Promise<number>) {
  let over = 0
  for (let tries = 0; tries < 2; tries++) {
    if (timesDown(both) > over) {
      over = timesDown(both)
      await sleep(61_000)
    }
    const before = await redisStates(both)
    const count = await act()
    if (isDeepStrictEqual(await redisStates(both), before) && timesDown(both) === over) {
      assert.equal(count, limit)
      return
    }
    assert.ok(count < 2 * limit, `${count}`)
    // the log line may come a second later
    await sleep(1_000)
  }
  assert.fail('Redis was unavailable in both scenes')
}

async function startBoth(t: TestContext) {
  const database = await freshDatabase()
  t.after(() => database.drop())
  const redis = await ownRedis()
  t.after(() => redis.kill())
  const settings = { store: database.url, redis: redis.url }
  const a = await makeInstallation('http://127.0.0.1:9', settings)
  const b = await makeInstallation('http://127.0.0.1:9', { ...settings, masterKeysFile: join(a.folder, 'keys.txt') })
  t.after(async () => {
    await a.close()
    await b.close()
  })
  const issue = async (perMinute: number): Promise<string> =>
    (await operate('/keys', a, { name: 'k', connections: ['*'], perMinute })).key
  return { a, b, redis, issue, database }
}

test(
  'two services keep one limit, exactly with Redis and by halves without it, and count each other',
  { skip: noPostgres || noRedis, timeout: 300_000 },
  async (t) => {
    const { a, b, redis, issue, database } = await startBoth(t)
    await a.start()
    await counts(a, 1)
    await b.start()
    await Promise.all([counts(a, 2), counts(b, 2)])

    await t.test('a key of 60 a minute gets exactly 60, however unevenly its requests arrive', async () => {
      await exactly([a, b], 60, async () => {
        const key = await issue(60)
        const [one, two] = await Promise.all([answered(a, key, 90), answered(b, key, 90)])
        return one + two
      })
      await exactly([a, b], 60, async () => {
        const key = await issue(60)
        return (await answered(b, key, 59)) + (await answered(a, key, 30))
      })
    })

    await t.test('without Redis each admits its half', async () => {
      await redis.kill()
      for (const one of [a, b]) await until(async () => !(await operate('/status', one)).redis.up)
      const key = await issue(60)
      assert.deepEqual(await Promise.all([answered(a, key, 90), answered(b, key, 90)]), [30, 30])
      assert.equal(a.exitCode(), null)
    })

    await t.test('a killed replica is not counted after ten seconds', async () => {
      await b.kill('SIGKILL')
      const from = performance.now()
      // the short form moves the rows back by nine of them; a living replica renews its row within two
      if (!full) await askPostgres(database.url, 'UPDATE replicas SET seen_at = seen_at - 9000')
      await counts(a, 1)
      if (full) t.diagnostic(`gone after ${(performance.now() - from).toFixed(0)} ms`)
    })

    await t.test('a replica that stops removes its row, and is not counted from then on', async () => {
      const ids = async () => (await askPostgres(database.url, 'SELECT id FROM replicas')).map(({ id }) => id)
      const before = await ids()
      await b.start()
      await counts(a, 2)
      const added = (await ids()).filter((id) => !before.includes(id))
      assert.equal(added.length, 1)
      await b.kill('SIGTERM')
      assert.ok(!(await ids()).includes(added[0]))
      await counts(a, 1)
    })
  },
)
