// Two whole services over one platform that enforces the quota it reports.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { createRollingPlatform, type RollingOptions } from '../support/rolling-platform.ts'
import { type Script, startScriptedPlatform } from '../support/scripted-platform.ts'
import { page } from '../support/example-routes.ts'
import { until } from '../../../base/test/until.ts'
import { startService } from '../support/service.ts'

const skip = noPostgres || noRedis

async function startReplicas(t: TestContext, { redis, ...options }: RollingOptions & { redis?: string }) {
  const model = createRollingPlatform(options)
  const script: Script = (_, res) => {
    const { rates, isRefusal } = model.arrive()
    const words = Object.entries(rates).map(
      ([kind, { limit, remaining }]) => `user-${kind}-lim:${limit};user-${kind}-rem:${remaining};`,
    )
    setTimeout(
      () => {
        res.writeHead(isRefusal ? 429 : 200, { 'content-type': 'application/json', 'x-rate-limit': words.join('') })
        res.end(isRefusal ? '{"errors":[]}' : JSON.stringify(page.healthy))
      },
      5 + Math.random() * 20,
    )
  }
  const platform = await startScriptedPlatform(script)
  t.after(() => platform.close())
  const database = await freshDatabase()
  t.after(() => database.drop())
  const start = async () => {
    const service = await startService(platform.url, { file: { store: database.url, ...(redis && { redis }) } })
    t.after(() => service.close())
    return service
  }
  const services = [await start(), await start()] as const
  return { platform, model, services, start }
}

test(
  'two replicas are never refused by the platform, and use up what it grants',
  { skip, timeout: 60_000 },
  async (t) => {
    const { model, services } = await startReplicas(t, { limit: 200, redis: redisUrl })
    let asked = 0
    async function ask(count: number) {
      const [statuses, left]: [Record<number, number>, number[]] = [{}, []]
      const last = asked + count
      const caller = async () => {
        while (asked < last) {
          const service = services[++asked % 2] as (typeof services)[0]
          const { status, headers } = await service.ask(`/subscriptions/s${asked}/offer-codes`)
          statuses[status] = (statuses[status] ?? 0) + 1
          left.push(Number(headers['x-upstream-ratelimit-remaining']))
        }
      }
      await Promise.all(Array.from({ length: 20 }, caller))
      return { statuses, left }
    }
    const steady = await ask(100)
    assert.deepEqual(steady.statuses, { 200: 100 })
    // what calls before it reported may still be on its way to Redis
    for (const service of services)
      await until(async () => {
        const { headers } = await service.ask(`/subscriptions/s${++asked}/offer-codes`)
        return Math.abs(Number(headers['x-upstream-ratelimit-remaining']) - model.left()) <= 1
      })
    const { statuses } = await ask(200)
    t.diagnostic(JSON.stringify({ statuses, taken: model.taken(), over: model.over() }))
    assert.equal(model.over(), 0)
    assert.deepEqual(Object.keys(statuses), ['200', '429'])
    // some are left for calls without a reservation, for as long as those may be in flight
    assert.ok(model.taken() >= 190)
  },
)
