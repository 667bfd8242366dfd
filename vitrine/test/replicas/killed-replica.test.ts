// Two whole services over one database and one Redis, of which one dies, or the Redis does, in the middle of a call.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask as askAt, makeInstallation } from '../stored-connections/program.ts'
import { pausedPlatform, delayed } from '../support/paced-platform.ts'
import { page } from '../support/example-routes.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, ownRedis, redisUrl } from '../../../base/test/redis.ts'
import { startReplicas } from '../support/replicas.ts'
import { privateKey } from '../support/service.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'

const skip = noPostgres || noRedis

test(
  'a Redis that is killed, frozen or emptied in mid-call costs one more call, and no caller an error',
  { skip },
  async (t) => {
    const own = await ownRedis()
    const proxy = await startTcpProxy({ port: own.port })
    t.after(() => Promise.all([own.kill(), proxy.close()]))
    const url = `redis://127.0.0.1:${proxy.port}`
    const { platform, services, askAll, key } = await startReplicas(t, delayed(400), { redis: () => url })
    const [a] = services
    const ready = () =>
      until(async () => {
        const before = platform.calls.length
        for (const { status } of await askAll(page.path, 2)) assert.equal(status, 200)
        return platform.calls.length === before + 1
      })
    const troubles = {
      frozen: () => proxy.setState('frozen'),
      killed: () => own.kill(),
      emptied: async () => {
        const { Redis } = await import('ioredis')
        const client = new Redis(own.url)
        await client.flushall()
        client.disconnect()
      },
    }
    for (const [name, trouble] of Object.entries(troubles)) {
      await ready()
      const before = platform.calls.length
      const reads = askAll(page.path, 20)
      await until(() => platform.calls.length > before)
      await sleep(100)
      await trouble()
      const begunAt = performance.now()
      for (const { status, json } of await reads) {
        assert.equal(status, 200, name)
        assert.deepEqual(json, page.answer)
      }
      assert.ok(performance.now() - begunAt < 2_000, name)
      assert.ok(platform.calls.length - before <= 2, `${name}: ${platform.calls.length - before} calls`)
      // and while Redis is down, each caller for itself
      if (name !== 'emptied') for (const { status } of await askAll(page.path, 4)) assert.equal(status, 200, name)
      proxy.setState('whole')
      if (name === 'killed') await own.start()
    }
    await ready()
    assert.equal((await a?.ask(page.path, { key }))?.status, 200)
  },
)

test(
  'a replica that is killed in mid-call delays the others by some seconds at most',
  { skip, timeout: 60_000 },
  async (t) => {
    const { script, release } = pausedPlatform()
    const { platform, services, database, key } = await startReplicas(t, script, {
      count: 1,
      file: { upstream: { timeoutMs: 8_000 } },
    })
    const [living] = services
    assert.ok(living)
    const { connections } = living.settings
    const acme = { ...connections['acme'], privateKeyFile: 'key.p8' }
    const dying = await makeInstallation(platform.url, { store: database.url, redis: redisUrl, connections: { acme } })
    t.after(() => dying.close())
    writeFileSync(join(dying.folder, 'key.p8'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await dying.start()
    const lost = askAt(dying.url, `/v1/connections/acme${page.path}`, key).catch(() => undefined)
    await until(() => platform.calls.length === 1)
    const reads = Array.from({ length: 10 }, () => living.ask(page.path))
    await sleep(300)
    assert.equal(platform.calls.length, 1, 'they wait for the other')
    const killedAt = performance.now()
    await dying.kill('SIGKILL')
    await lost
    await until(() => platform.calls.length === 2)
    assert.ok(performance.now() - killedAt < 4_000)
    await sleep(100)
    release()
    for (const { json } of await Promise.all(reads)) assert.deepEqual(json, page.answer)
    assert.equal(platform.calls.length, 2)
  },
)
