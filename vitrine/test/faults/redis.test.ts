// The Redis that two replicas share is down, slow or emptied: callers get their answers, and no key much more than its rate.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { account, type Scene as StoreScene, makeScene, type Server, listPath } from '../stored-connections/services.ts'
import { operatorToken } from '../stored-connections/program.ts'
import { numberOf, parse } from '../operator/scrape.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, ownRedis } from '../../../base/test/redis.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'

const skip = noPostgres || noRedis
const perMinute = 40

interface Scene {
  readonly servers: readonly [Server, Server]
  readonly proxy: Awaited<ReturnType<typeof startTcpProxy>>
  readonly redisUrl: string
  readonly issue: () => Promise<string>
}

async function startTwo(t: TestContext): Promise<Scene> {
  const store: StoreScene = await makeScene(t)
  const own = await ownRedis()
  store.later(() => own.kill())
  const proxy = await startTcpProxy({ port: own.port })
  store.later(() => proxy.close())
  const more = { redis: `redis://127.0.0.1:${proxy.port}` }
  const servers = [await store.start(undefined, more), await store.start(undefined, more)] as const
  const standing = async (server: Server) => (await server.act('GET', '/status')).json
  for (const server of servers) await until(async () => (await standing(server)).replicas === 2)
  await servers[0].act('POST', '/connections', { id: 'c', ...account })
  const wish = { name: 'k', connections: ['*'], perMinute }
  return {
    servers,
    proxy,
    redisUrl: own.url,
    issue: async () => (await servers[0].act('POST', '/keys', wish)).json.key,
  }
}

/** how many of this many concurrent requests succeed; each other one is a 429, without a wait */
async function answered(server: Server, key: string, count: number): Promise<number> {
  const all = await Promise.all(Array.from({ length: count }, () => server.read(listPath('c'), key)))
  for (const { status, ms } of all) {
    assert.ok(status === 200 || status === 429, `answered ${status}`)
    assert.ok(ms < 1_500, `${ms} ms`)
  }
  return all.filter(({ status }) => status === 200).length
}

async function scrape(server: Server) {
  const { operatorUrl } = server
  const answer = await fetch(new URL('/metrics', operatorUrl), {
    headers: { authorization: `Bearer ${operatorToken}` },
  })
  return parse(await answer.text())
}

test('two replicas over one Redis', { skip, timeout: 60_000 }, async (t) => {
  const { servers, proxy, redisUrl, issue } = await startTwo(t)
  const [a, b] = servers
  const isUp = async (server: Server): Promise<boolean> => (await server.act('GET', '/status')).json.redis.up

  await t.test('F164: emptying Redis resets a rate limit for one window at most, and paging continues', async () => {
    const key = await issue()
    const { nextCursor } = (await a.read(listPath('c'), key)).json
    const first = 1 + (await answered(a, key, 14))
    const second = await answered(b, key, 5)
    await sleep(1_000)
    const client = new Redis(redisUrl)
    await client.flushall()
    const { status } = await b.read(`${listPath('c')}&cursor=${nextCursor}`, key)
    assert.equal(status, 200)
    const again = [0, 0] as [number, number]
    for (let n = 0; n < 3; n++) {
      again[0] += await answered(a, key, 60)
      again[1] += await answered(b, key, 60)
      await client.flushall()
    }
    client.disconnect()
    // one more for the next page of the list
    assert.deepEqual([first, second, ...again], [15, 5, 5, 14], 'in all no more than without this')
  })

  await t.test('F163: a Redis that takes two seconds delays no request, and is not queried meanwhile', async () => {
    const key = await issue()
    assert.equal(await answered(a, key, 1), 1)
    proxy.delay(2_000)
    assert.equal(await answered(a, key, 9), 9)
    for (let n = 0; n < 10; n++) assert.equal(await answered(a, key, 1), 1)
    assert.equal(await answered(a, key, 20), 0)
    assert.equal(await isUp(a), false)
    proxy.delay(0)
    for (const server of servers) await until(() => isUp(server))
  })

  await t.test('F162: without Redis each of two replicas allows half of the rate limit, and reports it', async () => {
    const key = await issue()
    assert.equal(await answered(a, key, 15), 15)
    const before = numberOf(await scrape(a), 'vitrine_troubles_total', { kind: 'redis_away' }) ?? 0
    proxy.setState('cut')
    assert.deepEqual([await answered(a, key, 30), await answered(b, key, 30)], [5, 20])
    assert.equal(await answered(a, await issue(), 60), 20)
    const { redis } = (await a.act('GET', '/status')).json
    assert.deepEqual([redis.up, redis.place], [false, `redis://127.0.0.1:${proxy.port}`])
    const samples = await scrape(a)
    assert.deepEqual([numberOf(samples, 'vitrine_redis_up'), numberOf(samples, 'vitrine_replicas')], [0, 2])
    assert.ok((numberOf(samples, 'vitrine_troubles_total', { kind: 'redis_away' }) ?? 0) > before)
    proxy.setState('whole')
    for (const server of servers) await until(() => isUp(server))
    assert.deepEqual([await answered(a, key, 5), await answered(b, key, 5)], [0, 0], 'nothing is forgotten')
    const fresh = await issue()
    assert.equal(await answered(a, fresh, 21), 20, 'for one window each replica keeps to its half')
    const rest = await answered(b, fresh, 60)
    assert.ok(rest > 0 && rest <= 20, `${rest}`)
  })
})
