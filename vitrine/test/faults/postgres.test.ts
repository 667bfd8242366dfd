// A PostgreSQL server that fails over, is busy or slow under the running service. A lost one: test/stored-connections/outage.test.ts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { account, makeScene, makeKey, type Server, listPath } from '../stored-connections/services.ts'
import { startDatabaseProxy } from '../stored-connections/database-proxy.ts'
import { stalledMs } from '../../../base/test/stall-time.ts'
import { askPostgres, noPostgres } from '../../../base/test/postgres.ts'

/** for how long a found record is cached */
const cachedMs = 500
/** the deadline of a read, as src/store/postgres.ts states it */
const readerMs = 2_000
const writerMs = 4_000

async function untilServed(server: Server, key: string, mostMs: number) {
  const [from, stalledBefore] = [performance.now(), stalledMs()]
  for (;;) {
    const { status } = await server.read(listPath('c'), key)
    if (status === 200) return
    assert.ok(performance.now() - from - (stalledMs() - stalledBefore) < mostMs, `still ${status}`)
    await sleep(50)
  }
}

test('F159: with a read-only database reads are answered, and changes are 503', { skip: noPostgres }, async (t) => {
  const scene = await makeScene(t)
  const server = await scene.start()
  await server.act('POST', '/connections', { id: 'c', ...account })
  const { key } = await makeKey(server)
  const name = new URL(scene.database).pathname.slice(1)
  // as a standby answers, and all must reconnect, as in a failover
  const failOver = async (to: 'on' | 'off') => {
    // an operator who resets it may still write
    const url = new URL(scene.database)
    url.searchParams.set('options', '-c default_transaction_read_only=off')
    await askPostgres(url.href, `ALTER DATABASE ${name} SET default_transaction_read_only = ${to}`)
    await askPostgres(
      scene.database,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await sleep(cachedMs)
    await untilServed(server, key, readerMs)
  }
  await failOver('on')
  const before = (await server.act('GET', '/keys')).json.items.length
  const changes: [method: string, path: string, body?: object][] = [
    ['POST', '/keys', { name: 'x', connections: ['*'] }],
    ['POST', '/connections', { id: 'x', ...account, check: false }],
    ['DELETE', '/connections/c'],
  ]
  for (const [method, path, body] of changes) {
    const { status, json, ms } = await server.act(method, path, body)
    assert.deepEqual([status, json.error.code], [503, 'store_unavailable'], `${method} ${path}`)
    assert.ok(ms < writerMs, `${ms} ms`)
    assert.equal((await server.read(listPath('c'), key)).status, 200)
    await sleep(cachedMs)
    assert.equal((await server.read(listPath('c'), key)).status, 200)
  }
  await failOver('off')
  assert.equal((await server.act('GET', '/keys')).json.items.length, before)
  assert.equal((await server.act('GET', '/connections/x')).status, 404)
  assert.equal((await server.act('POST', '/keys', { name: 'x', connections: ['*'] })).status, 201)
})

test('F160: more look-ups than connections to a hanging database are 503 in time', { skip: noPostgres }, async (t) => {
  const scene = await makeScene(t)
  const server = await scene.start()
  await server.act('POST', '/connections', { id: 'c', ...account })
  // each is a query of its own
  const keys: string[] = []
  for (let n = 0; n < 40; n++) keys.push((await makeKey(server)).key)
  await sleep(cachedMs)
  const other = new Client(scene.database)
  other.on('error', () => {})
  await other.connect()
  await other.query('BEGIN; LOCK TABLE keys')
  const answers = await Promise.all(keys.map((key) => server.read(listPath('c'), key)))
  for (const { status, json, ms } of answers) {
    assert.deepEqual([status, json.error.code], [503, 'store_unavailable'])
    assert.ok(ms < readerMs, `${ms} ms`)
  }
  await other.query('ROLLBACK')
  await other.end()
  await untilServed(server, keys[0] ?? '', readerMs)
  const after = await Promise.all(keys.map((key) => server.read(listPath('c'), key)))
  assert.deepEqual(new Set(after.map(({ status }) => status)), new Set([200]))
})

test(
  'F161: a database two seconds away gives 200 or 503 within the time of a request',
  { skip: noPostgres },
  async (t) => {
    const scene = await makeScene(t)
    const proxy = await startDatabaseProxy(scene.database)
    scene.later(proxy.close)
    const server = await scene.start(proxy.url)
    await server.act('POST', '/connections', { id: 'c', ...account })
    const { key } = await makeKey(server)
    for (const lateMs of [100, 2_000]) {
      await untilServed(server, key, 6_000)
      await sleep(cachedMs)
      proxy.slow(lateMs)
      const answers = await Promise.all(Array.from({ length: 20 }, () => server.read(listPath('c'), key)))
      for (const { status, json, ms } of answers) {
        assert.ok(status === 200 || status === 503, `${lateMs} ms away: ${status}`)
        if (status === 503) assert.equal(json.error.code, 'store_unavailable')
        assert.ok(ms < 2 * readerMs, `${lateMs} ms away: ${ms} ms`)
      }
      if (lateMs < 500) assert.ok(answers.every(({ status }) => status === 200))
      const ready = await server.read('/readyz', '')
      assert.ok(ready.ms < readerMs && (ready.status === 200 || ready.status === 503))
      proxy.slow(0)
    }
    await untilServed(server, key, 6_000)
  },
)
