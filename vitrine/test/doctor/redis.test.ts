import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { Redis } from 'ioredis'
import type { Verdict } from '../../src/doctor/finding.ts'
import { judgeRedisAnswer, judgeRedis } from '../../src/doctor/redis-check.ts'
import type { Installation } from '../../src/doctor/installation.ts'
import { openStore } from '../../src/store/open.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, ownRedis } from '../../../base/test/redis.ts'
import { refusingRedis } from '../support/refusing-redis.ts'
import { startScriptedPlatform } from '../support/scripted-platform.ts'
import { examine, findCheck, problemsIn, install, prepare } from './scene.ts'
import { freePort } from '../../../base/test/free-port.ts'

const skip = noRedis
const judge = (redis: string | undefined): Promise<Verdict> =>
  judgeRedis({ settings: { redis } } as Installation, AbortSignal.timeout(10_000))

async function startServer(t: TestContext) {
  const own = await ownRedis()
  t.after(() => own.kill())
  return { ...own, place: own.url, configure: (...settings: readonly string[]) => configure(own.url, settings) }
}

async function configure(url: string, [command = '', ...rest]: readonly string[]) {
  const client = new Redis(url, { lazyConnect: true })
  client.on('error', () => undefined)
  await client.connect()
  await client.call(command, ...rest)
  client.disconnect()
}

test('a Redis that answers passes with its version, and so does an installation without Redis', { skip }, async (t) => {
  assert.equal((await judge(undefined)).state, 'ok')
  const { url } = await startServer(t)
  const { state, says } = await judge(url)
  assert.equal(state, 'ok')
  assert.match(says, new RegExp(`^(Redis|Valkey) \\d+\\.\\d+\\.\\d+ answers at ${url}\\.$`))
})

test('a wrong or missing Redis password is reported and never printed', { skip }, async (t) => {
  const server = await startServer(t)
  await server.configure('CONFIG', 'SET', 'requirepass', 'the-right-one')
  const right = await judge(`redis://:the-right-one@127.0.0.1:${server.port}`)
  assert.equal(right.state, 'ok')
  for (const [user, cause] of [
    ['', /NOAUTH/],
    [':the-wrong-one@', /WRONGPASS/],
    ['who:the-wrong-one@', /WRONGPASS/],
  ] as const) {
    const verdict = await judge(`redis://${user}127.0.0.1:${server.port}`)
    assert.equal(verdict.state, 'fail')
    assert.match(verdict.cause ?? '', cause)
    assert.match(verdict.cure ?? '', /user and password/)
    assert.doesNotMatch(JSON.stringify(verdict), /the-(right|wrong)-one/)
  }
})

test('a Redis user without the right to run scripts fails the check', { skip }, async (t) => {
  const server = await startServer(t)
  await server.configure('ACL', 'SETUSER', 'narrow', 'on', '>secret', '~*', '&*', '+@all', '-@scripting')
  const verdict = await judge(`redis://narrow:secret@127.0.0.1:${server.port}`)
  assert.equal(verdict.state, 'fail')
  assert.match(verdict.cause ?? '', /NOPERM/)
  await server.configure('ACL', 'SETUSER', 'quiet', 'on', '>secret', '~*', '&*', '+@all', '-info')
  assert.match((await judge(`redis://quiet:secret@127.0.0.1:${server.port}`)).says, /may not run INFO/)
})

test('a closed port, another program and an unresolvable host name have different causes', { skip }, async (t) => {
  const platform = await startScriptedPlatform((_, res) => void res.end('hello'))
  t.after(() => platform.close())
  assert.match((await judge(`redis://127.0.0.1:${await freePort()}`)).cause ?? '', /ECONNREFUSED/)
  const other = await judge(`redis://${new URL(platform.url).host}`)
  assert.match(other.cause ?? '', /the server there is not Redis|cut before an answer/)
  const nameless = await judge('redis://redis.invalid:6379')
  assert.match(nameless.cure ?? '', /name in the setting `redis`/)
})

test('a Redis server that may evict keys or is nearly full is a warning', { skip }, async (t) => {
  const server = await startServer(t)
  await server.configure('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
  assert.equal((await judge(server.url)).state, 'ok', 'without a bound it drops nothing')
  await server.configure('CONFIG', 'SET', 'maxmemory', '100mb')
  for (const policy of ['allkeys-lru', 'volatile-ttl']) {
    await server.configure('CONFIG', 'SET', 'maxmemory-policy', policy)
    const { state, cause, cure } = await judge(server.url)
    assert.deepEqual([state, cause], ['warn', `its maxmemory is 100.00M, and its maxmemory-policy ${policy}`])
    assert.match(cure ?? '', /noeviction/)
  }
  await server.configure('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
  assert.equal((await judge(server.url)).state, 'ok')
  await server.configure('CONFIG', 'SET', 'maxmemory', '1mb')
  assert.match((await judge(server.url)).says, /nearly full/)
})

test('a Redis server that refuses writes fails the check, with a fix for each reason', { skip }, async (t) => {
  const server = await refusingRedis(t)
  for (const [code, cure] of [
    ['OOM', /maxmemory/],
    ['NOREPLICAS', /Start its replica servers/],
    ['NOPERM', /all commands/],
    ['READONLY', /primary server/],
    ['MISCONF', /snapshot/],
  ] as const) {
    await server.refuse(code)
    const verdict = await judge(server.url)
    assert.equal(verdict.state, 'fail', code)
    assert.match(verdict.cause ?? '', code === 'READONLY' ? /read-only/ : new RegExp(code))
    assert.match(verdict.cure ?? '', cure)
    await server.recover(code)
    assert.equal((await judge(server.url)).state, 'ok', code)
  }
})

test('a read-only replica, cluster mode and an old version are reported', { skip }, async (t) => {
  const server = await startServer(t)
  await server.configure('REPLICAOF', '127.0.0.1', String(await freePort()))
  assert.match((await judge(server.url)).cause ?? '', /read-only/)
  const told = (info: Record<string, string>) => judgeRedisAnswer({ place: 'redis://there:6379', info })
  assert.match(told({ cluster_enabled: '1' }).cause ?? '', /cluster mode/)
  assert.equal(told({ redis_version: '6.0.16' }).state, 'warn')
  assert.deepEqual(
    [{ redis_version: '6.2.0' }, { redis_version: '7.2.4', valkey_version: '8.1.0' }].map((info) => told(info).says),
    ['Redis 6.2.0 answers at redis://there:6379.', 'Valkey 8.1.0 answers at redis://there:6379.'],
  )
})

test('the report counts the replicas, and an unreachable Redis is a failure', { skip: noPostgres }, async (t) => {
  const database = await freshDatabase()
  const platform = await startScriptedPlatform((_, res) => void res.end())
  const store = await openStore(database.url)
  t.after(async () => {
    await platform.close()
    await store.close()
    await database.drop()
  })
  const { config } = install(t, platform.url, { store: database.url })
  assert.equal(findCheck(await examine(config), 'replicas').says, 'No service uses this store now.')
  await store.replicas.beat('a')
  await store.replicas.beat('b')
  const several = await examine(config)
  assert.equal(
    findCheck(several, 'replicas').says,
    '2 replicas use this store now. Without `redis`, each applies its part of every limit.',
  )
  assert.equal(findCheck(several, 'redis').state, 'ok')
  const away = await examine(config, [], { VITRINE_REDIS: `redis://:secret-word@127.0.0.1:${await freePort()}` })
  assert.ok(problemsIn(away).includes('redis=fail') && !`${away.out}${away.err}`.includes('secret-word'))
  assert.equal(findCheck(away, 'replicas').says, '2 replicas use this store now.')
})

test('a healthy installation on one machine passes without replicas and Redis', async (t) => {
  const { config } = await prepare(t, 'none')
  const told = await examine(config)
  assert.deepEqual(
    [problemsIn(told), findCheck(told, 'replicas').state, findCheck(told, 'redis').state],
    [[], 'ok', 'ok'],
  )
})
