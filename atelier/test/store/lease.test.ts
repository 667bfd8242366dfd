// Two services on one PostgreSQL store would end each other's commands: one serves, and one that lost the store reports nothing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { freePort } from '../../../base/test/free-port.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'
import { postgresDatabase } from '../../../base/store/postgres.ts'
import { leasedDatabase } from '../../src/store/lease.ts'
import { schema } from '../../src/store/migrations.ts'
import { openUsedRig } from '../service-rig.ts'

const none = { skip: noPostgres }
const expire = 'UPDATE service_lease SET expires_at = 0'

async function database(t: TestContext) {
  const fresh = await freshDatabase()
  t.after(() => fresh.drop())
  const proxy = await startTcpProxy({ port: Number(new URL(fresh.url).port || 5432) })
  t.after(() => proxy.close())
  const through = new URL(fresh.url)
  through.port = String(proxy.port)
  return {
    url: fresh.url,
    proxy,
    async open(url = fresh.url) {
      const clock = { passedMs: 0, suspendedMs: 0 }
      let [taken, waited] = [0, 0]
      const db = leasedDatabase(await postgresDatabase(url, schema), {
        steady: () => performance.now() + clock.passedMs,
        now: () => Date.now() + clock.passedMs + clock.suspendedMs,
      })
      t.after(() => db.close())
      const claim = async (mostMs = 0) => db.claim?.({ mostMs, waits: () => waited++, lost: () => taken++ })
      return { db, clock, claim, taken: () => taken, waited: () => waited }
    },
    through: through.href,
  }
}

const refused = { code: 'store_unavailable' }

test(
  'a second service on a PostgreSQL store is refused, with the name of the first one, until that one ends',
  none,
  async (t) => {
    const { open } = await database(t)
    const [first, second] = [await open(), await open()]
    await first.claim()
    await assert.rejects(second.claim(), ({ message }: Error) =>
      message.includes(`is served by another service: process ${process.pid} on ${hostname()}, since 20`),
    )
    assert.equal(second.waited(), 1)
    // a command may use the store meanwhile
    await second.db.one('SELECT 1 AS one FROM accounts')
    await first.db.close()
    await second.claim()
    assert.equal(second.waited(), 1)
  },
)

test(
  'a service keeps the store while its connections are ended, and takes it again if nobody else did',
  none,
  async (t) => {
    const { open, url, proxy, through } = await database(t)
    const [first, second] = [await open(through), await open()]
    await first.claim()
    await askPostgres(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()') // prettier-ignore
    await assert.rejects(second.claim(), /is served by another service/)
    await first.db.one('SELECT 1 AS one FROM accounts')
    proxy.setState('cut')
    first.clock.passedMs = 10_001
    assert.equal(first.db.isServing?.(), false)
    proxy.setState('whole')
    for (const act of [first.db.one('SELECT 1 AS one'), first.db.check(), first.db.transaction(async () => 1)])
      await assert.rejects(act, refused)
    await until(() =>
      first.db.renew().then(
        () => true,
        () => false,
      ),
    )
    assert.equal(first.db.isServing?.(), true)
    await first.db.one('SELECT 1 AS one FROM accounts')
    assert.equal(first.taken(), 0)
  },
)

test(
  'a service that was suspended, or cut off while another took the store, refuses all and must end',
  none,
  async (t) => {
    const { open, url, proxy, through } = await database(t)
    const [first, second] = [await open(through), await open()]
    await first.claim()
    first.clock.suspendedMs = 10_001
    assert.equal(first.db.isServing?.(), false, 'the steady clock stood still')
    await first.db.renew()
    proxy.setState('cut')
    first.clock.passedMs = 10_001
    await askPostgres(url, expire)
    await second.claim()
    assert.equal(first.db.isServing?.(), false)
    proxy.setState('whole')
    await until(() =>
      first.db.renew().then(
        () => true,
        () => false,
      ),
    )
    assert.equal(first.taken(), 1)
    await assert.rejects(first.db.run('DELETE FROM accounts'), refused)
    await first.db.close()
    assert.equal((await askPostgres(url, 'SELECT 1 FROM service_lease')).length, 1, 'the row of the second stays')
  },
)

test('of services that race for a free store, one gets it', none, async (t) => {
  const { open, url } = await database(t)
  const all = await Promise.all([open(), open(), open(), open()])
  const results = await Promise.allSettled(all.map(({ claim }) => claim()))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  await askPostgres(url, expire)
  const again = await open()
  await again.claim()
})

test(
  'a command whose service lost the store meanwhile has an unknown outcome, and further requests are refused',
  none,
  async (t) => {
    const { open, url } = await database(t)
    const { rig, engine, call, create, key } = await openUsedRig(t, { store: url })
    const { body: made } = await create()
    const body = { containerId: made.id, command: ['hang'] }
    const answer = call('POST', '/containers/exec', { key, body })
    await until(() => engine.commandsOf(made.id).length === 1)
    await askPostgres(url, expire)
    const second = await open()
    await second.claim()
    await until(() => rig.service.events.some(({ kind }) => kind === 'store_taken'), 10_000)
    engine.exit(made.id, 137)
    const { status, body: refusal } = await answer
    assert.deepEqual(
      [status, refusal.error.type, refusal.error.details.reason],
      [502, 'exec_outcome_unknown', 'store_lost'],
    )
    const next = await call('POST', '/containers/exec', { key, body })
    assert.deepEqual([next.status, next.body.error.code], [503, 'store_unavailable'])
  },
)

test('a process whose store another service took ends with 1', none, async (t) => {
  const { open, url } = await database(t)
  const folder = mkdtempSync(join(tmpdir(), 'atelier-lease-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [file, listen] = [join(folder, 'atelier.json'), `127.0.0.1:${await freePort()}`]
  writeFileSync(file, JSON.stringify({ listen, store: url, ssh: null, engine: { socket: 'none.sock' } }))
  const child = spawn('bin/atelier', ['serve', '--config', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (part: Buffer) => (log += part.toString()))
  await until(() => log.includes('"kind":"started"'), 20_000)
  const second = await open()
  await assert.rejects(second.claim(), new RegExp(`: process ${child.pid} on `))
  await askPostgres(url, expire)
  await second.claim()
  assert.equal((await ended)[0], 1)
  assert.match(log, /"kind":"store_taken"/)
})
