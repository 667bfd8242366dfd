import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { Redis } from 'ioredis'
import type { Verdict } from '../../src/doctor/finding.ts'
import { judgeLookedAt, judgeRedis } from '../../src/doctor/redis-check.ts'
import type { Patient } from '../../src/doctor/patient.ts'
import { openStore } from '../../src/store/open.ts'
import { freePort, freshDatabase, noPostgres } from '../ground/postgres.ts'
import { noRedis, ownRedis } from '../ground/redis.ts'
import { refusingRedis } from '../ground/refusing-redis.ts'
import { startScriptedPlatform } from '../ground/scripted-platform.ts'
import { examine, findCheck, illIn, install, prepare } from './scene.ts'

const skip = noRedis
const judge = (redis: string | undefined): Promise<Verdict> =>
  judgeRedis({ settings: { redis } } as Patient, AbortSignal.timeout(10_000))

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

test(
  'a Redis that answers is named with its version, and where there is none nothing is wrong',
  { skip },
  async (t) => {
    assert.equal((await judge(undefined)).state, 'ok')
    const { url } = await startServer(t)
    const { state, says } = await judge(url)
    assert.equal(state, 'ok')
    assert.match(says, new RegExp(`^(Redis|Valkey) \\d+\\.\\d+\\.\\d+ answers at ${url}\\.$`))
  },
)

test('a password that is wrong or missing is named, and not shown', { skip }, async (t) => {
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

test('a user who may not run scripts is told so', { skip }, async (t) => {
  const server = await startServer(t)
  await server.configure('ACL', 'SETUSER', 'narrow', 'on', '>secret', '~*', '&*', '+@all', '-@scripting')
  const verdict = await judge(`redis://narrow:secret@127.0.0.1:${server.port}`)
  assert.equal(verdict.state, 'fail')
  assert.match(verdict.cause ?? '', /NOPERM/)
  await server.configure('ACL', 'SETUSER', 'quiet', 'on', '>secret', '~*', '&*', '+@all', '-info')
  assert.match((await judge(`redis://quiet:secret@127.0.0.1:${server.port}`)).says, /may not be asked about itself/)
})

test('nothing that listens, another program, and a name that does not exist are told apart', { skip }, async (t) => {
  const platform = await startScriptedPlatform((_, res) => void res.end('hello'))
  t.after(() => platform.close())
  assert.match((await judge(`redis://127.0.0.1:${await freePort()}`)).cause ?? '', /ECONNREFUSED/)
  const other = await judge(`redis://${new URL(platform.url).host}`)
  assert.match(other.cause ?? '', /what answers there is no Redis|cut before an answer/)
  const nameless = await judge('redis://redis.invalid:6379')
  assert.match(nameless.cure ?? '', /name in the setting `redis`/)
})

test('a server that may drop counts, or refuse to count, is warned of', { skip }, async (t) => {
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

test('a server that answers and takes no writes fails the check, with what to do about it', { skip }, async (t) => {
  const server = await refusingRedis(t)
  for (const [code, cure] of [
    ['OOM', /maxmemory/],
    ['NOREPLICAS', /should follow it/],
    ['NOPERM', /all commands/],
    ['READONLY', /primary server/],
    ['MISCONF', /snapshot/],
  ] as const) {
    await server.refuse(code)
    const verdict = await judge(server.url)
    assert.equal(verdict.state, 'fail', code)
    assert.match(verdict.cause ?? '', code === 'READONLY' ? /only be read/ : new RegExp(code))
    assert.match(verdict.cure ?? '', cure)
    await server.recover(code)
    assert.equal((await judge(server.url)).state, 'ok', code)
  }
})

test('a copy that may only be read, a cluster, and an old version are told so', { skip }, async (t) => {
  const server = await startServer(t)
  await server.configure('REPLICAOF', '127.0.0.1', String(await freePort()))
  assert.match((await judge(server.url)).cause ?? '', /only be read/)
  const told = (info: Record<string, string>) => judgeLookedAt({ place: 'redis://there:6379', info })
  assert.match(told({ cluster_enabled: '1' }).cause ?? '', /cluster mode/)
  assert.equal(told({ redis_version: '6.0.16' }).state, 'warn')
  assert.deepEqual(
    [{ redis_version: '6.2.0' }, { redis_version: '7.2.4', valkey_version: '8.1.0' }].map((info) => told(info).says),
    ['Redis 6.2.0 answers at redis://there:6379.', 'Valkey 8.1.0 answers at redis://there:6379.'],
  )
})

test('the report counts the replicas, and names a Redis that is not there', { skip: noPostgres }, async (t) => {
  const database = await freshDatabase()
  const platform = await startScriptedPlatform((_, res) => void res.end())
  const store = await openStore(database.url)
  t.after(async () => {
    await platform.close()
    await store.close()
    await database.drop()
  })
  const { config } = install(t, platform.url, { store: database.url })
  assert.equal(findCheck(await examine(config), 'replicas').says, 'Nobody serves over this store now.')
  await store.replicas.beat('a')
  await store.replicas.beat('b')
  const several = await examine(config)
  assert.equal(
    findCheck(several, 'replicas').says,
    '2 replicas serve over this store now: without `redis`, each has its part of every limit.',
  )
  assert.equal(findCheck(several, 'redis').state, 'ok')
  const away = await examine(config, [], { VITRINE_REDIS: `redis://:secret-word@127.0.0.1:${await freePort()}` })
  assert.ok(illIn(away).includes('redis=fail') && !`${away.out}${away.err}`.includes('secret-word'))
  assert.equal(findCheck(away, 'replicas').says, '2 replicas serve over this store now.')
})

test('a healthy installation of one machine has neither, and is well', async (t) => {
  const { config } = await prepare(t, 'none')
  const told = await examine(config)
  assert.deepEqual([illIn(told), findCheck(told, 'replicas').state, findCheck(told, 'redis').state], [[], 'ok', 'ok'])
})
