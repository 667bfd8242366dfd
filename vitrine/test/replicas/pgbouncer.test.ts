// Replicas over PostgreSQL behind a real PgBouncer that pools by transaction: nothing relies on a database session.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { noOwnPostgres, ownPostgres } from '../cluster/own-postgres.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noPgBouncer, startPgBouncer } from '../../../base/test/pgbouncer.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'
import { deed } from '../store/records.ts'
import { account, makeScene } from './outage-services.ts'

const skip = noPostgres || noPgBouncer || noRedis
const made = deed('keys.create')

async function bounced(t: TestContext, lines?: readonly string[]) {
  const database = await freshDatabase()
  t.after(database.drop)
  const bouncer = await startPgBouncer(database.url, lines)
  t.after(() => bouncer.close())
  return bouncer
}

const configurations = [
  ['with its own defaults', []],
  [
    'told to ignore startup parameters',
    ['ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'],
  ],
] as const

/** a process that stops in the middle of a change */
async function stopInTheMiddle(t: TestContext, url: string) {
  const open = join(import.meta.dirname, '../../src/store/open.ts')
  const script = `const { openDatabase } = await import(${JSON.stringify(open)})
    const db = await openDatabase(${JSON.stringify(url)})
    await db.transaction(async (sql) => {
      await sql.one('SELECT 1 AS one')
      process.stdout.write('in the middle')
      process.kill(process.pid, 'SIGSTOP')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
}

for (const [how, lines] of configurations)
  test(
    `a replica that stands still behind PgBouncer, ${how}, holds up no other for more than four seconds`,
    { skip },
    async (t) => {
      const { url } = await bounced(t, lines)
      const store = await openStore(url)
      t.after(() => store.close())
      await store.audit.append([made])
      await stopInTheMiddle(t, url)
      await store.audit.append([made])
      assert.equal((await store.audit.verify()).lines, 2)
    },
  )

for (const [how, lines] of configurations)
  test(`two replicas work behind PgBouncer, ${how}`, { skip }, async (t) => {
    const { url } = await bounced(t, lines)
    const scene = await makeScene(t, redisUrl, url)
    const [a, b] = [await scene.start(), await scene.start()]
    assert.equal((await a.act('POST', '/connections', { id: 'c', ...account })).status, 201)
    const keys = await Promise.all(Array.from({ length: 12 }, () => a.makeKey()))
    const statuses = async () =>
      new Set((await Promise.all(keys.flatMap(({ key }) => [a.read(key), b.read(key)]))).map(({ status }) => status))
    assert.deepEqual(await statuses(), new Set([200]))
    for (const { id } of keys) assert.equal((await b.act('DELETE', `/keys/${id}`)).status, 200)
    await until(async () => (await statuses()).size === 1 && (await statuses()).has(401))
    assert.equal((await a.act('GET', '/audit?limit=1')).json.items[0].act, 'keys.revoke')
  })

test(
  'a PgBouncer that leads to a hot standby is noticed over the same connections, and used again when it leads back',
  { skip: skip || noOwnPostgres },
  async (t) => {
    const primary = await ownPostgres()
    t.after(() => primary.close())
    const bouncer = await startPgBouncer(primary.url)
    t.after(() => bouncer.close())
    const scene = await makeScene(t, redisUrl, primary.url)
    const [right, wrong] = [await scene.start(), await scene.start({ store: bouncer.url })]
    assert.equal((await right.act('POST', '/connections', { id: 'c', ...account })).status, 201)
    const [lost, kept] = [await right.makeKey(), await right.makeKey()]
    for (const { key } of [lost, kept]) assert.equal((await wrong.read(key)).status, 200)
    const lagging = await primary.standby(['recovery_min_apply_delay=1h'])
    t.after(() => lagging.close())
    await bouncer.pointTo(lagging.url)
    await until(async () => (await wrong.ready()).status === 503)
    assert.match((await wrong.ready()).json.error.message, /hot standby/)
    assert.equal((await right.act('DELETE', `/keys/${lost.id}`)).status, 200)
    const began = performance.now()
    while (performance.now() - began < 2_000) {
      const at = performance.now()
      const { status } = await wrong.read(lost.key)
      assert.ok(status !== 200 || at - began < 1_000, `200 after ${at - began} ms`)
    }
    await bouncer.pointTo(primary.url)
    await until(async () => (await wrong.ready()).status === 200 && (await wrong.read(kept.key)).status === 200)
    assert.equal((await wrong.read(lost.key)).status, 401)
  },
)
