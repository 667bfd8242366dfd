// Scarce resources for a replica with a PostgreSQL and a Redis, and clocks that are set.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { ask } from '../stored-connections/program.ts'
import { page } from '../support/example-routes.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, ownRedis, redisUrl } from '../../../base/test/redis.ts'
import { startScripted } from '../support/service.ts'
import { until } from '../../../base/test/until.ts'
import { fine } from '../operator/listener.ts'
import { startManagerOver } from '../operator/manager.ts'
import { codeOf, signIn } from '../operator/signed-in.ts'
import { healthy, startRunning } from './service-process.ts'

const missing = noPostgres || noRedis
const noLimits = spawnSync('prlimit', ['--version']).status === 0 ? false : 'prlimit is not installed'

async function freshStore(t: TestContext): Promise<string> {
  const database = await freshDatabase()
  t.after(() => database.drop())
  return database.url
}

test(
  'with 64 descriptors a replica serves or rejects, keeps its store and Redis, and recovers',
  {
    skip: missing || noLimits,
    timeout: 60_000,
  },
  async (t) => {
    const store = await freshStore(t)
    const running = await startRunning(t, { settings: { store, redis: redisUrl, log: 'all' } })
    const { url, key, pid } = running
    await running.served()
    execFileSync('prlimit', ['--pid', String(pid()), '--nofile=64:64'])
    const open = () => readdirSync(`/proc/${pid()}/fd`).length
    const before = open()
    const sockets: Socket[] = []
    const letGo = () => sockets.splice(0).forEach((socket) => socket.destroy())
    t.after(letGo)
    for (let n = 0; n < 150; n++) sockets.push(connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}))
    const outcomeOf = (n: number) =>
      ask(url, `/v1/connections/studio/subscriptions/s${n}/offer-codes`, key).then(
        ({ status, json }) => String(json.error?.code ?? status),
        (error: NodeJS.ErrnoException) => error.code ?? 'cut',
      )
    // longer than records of the store are cached
    await sleep(700)
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => outcomeOf(n)))
    const fine = ['ECONNRESET', 'EPIPE', '200', 'upstream_unavailable', 'store_unavailable']
    for (const outcome of outcomes) assert.ok(fine.includes(outcome), outcome)
    letGo()
    await until(() => open() <= before + 4)
    await running.served()
    assert.equal((await ask(url, '/readyz', '')).status, 200)
    assert.equal(running.exitCode(), null)
    const { json } = await running.act('GET', '/status')
    assert.equal(json.redis?.up ?? true, true)
  },
)

test(
  'with a full Redis the console loses sight of the other replicas, and every caller is answered',
  { skip: missing },
  async (t) => {
    const server = await ownRedis()
    t.after(() => server.kill())
    const hand = new Redis(server.url)
    t.after(() => hand.disconnect())
    const options = { file: { store: await freshStore(t), redis: server.url } }
    const manager = await startManagerOver(t, fine, options)
    const { service } = manager
    const before = await signIn(manager)
    await hand.config('SET', 'maxmemory-policy', 'noeviction')
    await hand.config('SET', 'maxmemory', '1')
    const meanwhile = await signIn(manager)
    for (const one of [before, meanwhile]) assert.equal(codeOf(await one.ask('GET', '/keys')), '200 ok')
    for (let n = 0; n < 5; n++) assert.equal((await service.ask(page.path)).status, 200)
    assert.equal((await service.ask('/readyz')).status, 200)
    assert.ok(service.events.some(({ kind }) => kind === 'redis_refused'))
    const { redis } = (await manager.ask('GET', '/operator/v1/status')).json
    assert.deepEqual([redis.up, redis.reason], [false, 'OOM'])
    assert.match((await manager.ask('GET', '/metrics')).text, /^vitrine_redis_up 0$/m)
    await hand.config('SET', 'maxmemory', '0')
    for (const one of [before, meanwhile]) assert.equal(codeOf(await one.ask('GET', '/keys')), '200 ok')
    const other = await startManagerOver(t, fine, options)
    const cookie = `vitrine_session_${other.port}=${meanwhile.secret}`
    const asked = async () =>
      codeOf(await other.ask('GET', '/operator/v1/session', { token: null, headers: { cookie } }))
    await until(async () => (await asked()) === '200 ok')
  },
)

test(
  'setting the clock by an hour raises no rate limit in Redis and locks out no key',
  {
    skip: missing,
  },
  async (t) => {
    let shift = 0
    const { service, close } = await startScripted(healthy, {
      now: () => Date.now() + shift,
      file: { store: await freshStore(t), redis: redisUrl },
    })
    t.after(close)
    const key = await service.issue({ perMinute: 6 })
    const statuses: number[] = []
    for (const set of [0, 0, 3_600_000, 3_600_000, -3_600_000, -3_600_000, 0, 3_600_000, -3_600_000]) {
      shift = set
      const { status, headers } = await service.ask('/v1/whoami', { key })
      statuses.push(status)
      if (status === 429) assert.ok(Number(headers['retry-after']) <= 60)
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429, 429, 429])
    shift = 0
    assert.equal((await service.ask('/v1/whoami', { key: await service.issue({ perMinute: 6 }) })).status, 200)
  },
)
