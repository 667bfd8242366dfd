// What callers and operators see while the database is down: two services over a real one, and a real Redis, with wires that
// are cut and frozen. Long: each fault is a scene.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCore } from '../../src/core/core.ts'
import { settingsOf } from '../stored-connections/services.ts'
import { type Answer, full, median } from '../stored-connections/program.ts'
import { askPostgres, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, ownRedis } from '../../../base/test/redis.ts'
import { tester } from '../support/service.ts'
import { until } from '../../../base/test/until.ts'
import { account, makeScene, reading, type Replica, replacement } from './outage-services.ts'

const skip = noPostgres || noRedis
const outageMs = full ? 30_000 : 1_500
const promisedMs = 1_000
/** on a machine that does much else */
const slackMs = 3_000

const statusesOf = (answers: readonly { status: number }[]) => [...new Set(answers.map(({ status }) => status))]
const kinds = ({ events }: Replica) => events.map(({ kind }) => kind).filter((kind) => kind.startsWith('store_'))

/** found and confirmed everywhere */
async function warm(replicas: readonly Replica[], key: string, connection = 'c') {
  for (const replica of replicas) assert.equal((await replica.read(key, connection)).status, 200)
}

/** waits until earlier revocations were published by every replica that publishes them */
const settled = () => sleep(1_500)

/** a replica without a connection detects it, and continues */
async function goesOn(replica: Replica, key: string, connection = 'c') {
  await until(async () => {
    const { status } = await replica.read(key, connection)
    return status === 200 && kinds(replica).at(-1) === 'store_away'
  })
}

/** on a busy machine Redis may not answer for a moment, and then there is no mark */
function assertRead(answers: readonly Answer[], { events }: Replica) {
  const refused = answers.filter(({ status }) => status !== 200)
  for (const { json } of refused) assert.equal(json.error.code, 'store_unavailable')
  assert.ok(refused.length === 0 || events.some(({ kind }) => kind === 'redis_away'), `${refused.length} were refused`)
}

const revocations: Record<string, (whole: Replica, key: string) => Promise<Answer>> = {
  'a revoked key': (whole, key) => whole.act('DELETE', `/keys/${key}`),
  'a key that was handed over': (whole, key) => whole.act('POST', `/keys/${key}/reroll`, { overlap: '0' }),
  'a removed connection': (whole) => whole.act('DELETE', '/connections/c'),
  'a replaced connection': (whole) => whole.act('POST', '/connections/c/credentials', replacement),
}

// each scene has a database and wires of its own, and mostly waits
describe('while the database is away', { skip, concurrency: 2 }, () => {
  for (const wire of ['cut', 'frozen'] as const)
    void test(`a database that is ${wire} costs known readers nothing, refuses management, and is missed no longer than it is away`, async (t) => {
      const scene = await makeScene(t)
      const [a, b] = [await scene.start({ audit: { reads: true } }), await scene.start()]
      await a.act('POST', '/connections', { id: 'c', ...account })
      const { id, key } = await a.makeKey()
      const { key: never } = await b.makeKey()
      await warm([a, b], key)
      for (const { pg } of [a, b]) pg.setState(wire)
      const readers = [a, b].map((replica) => [replica, reading(() => replica.read(key))] as const)
      await until(() => kinds(a).includes('store_away') && kinds(b).includes('store_away'))
      const heads = await Promise.all([
        a.act('POST', '/keys', { name: 'k', connections: ['*'] }),
        a.act('DELETE', `/keys/${id}`),
        b.act('DELETE', '/connections/c'),
        b.act('GET', `/keys/${id}`),
        a.read(never),
        b.read(key, 'nowhere'),
      ])
      for (const { status, json, ms } of heads) {
        assert.deepEqual([status, json.error.code], [503, 'store_unavailable'])
        assert.ok(ms < slackMs, `${ms} ms`)
      }
      for (const replica of [a, b]) {
        await until(async () => (await replica.ready()).status === 200)
        assert.equal(await replica.metric('vitrine_store_up'), '0')
      }
      await sleep(outageMs)
      for (const { pg } of [a, b]) pg.setState('whole')
      const back = performance.now()
      await until(() => kinds(a).includes('store_back') && kinds(b).includes('store_back'))
      const backMs = performance.now() - back
      assert.equal((await a.read(never)).status, 200)
      const revoking = performance.now()
      assert.equal((await a.act('DELETE', `/keys/${id}`)).status, 200)
      const revoked = performance.now()
      await until(async () => (await b.read(key)).status === 401, slackMs)
      const refusedMs = performance.now() - revoked
      for (const [replica, { end }] of readers) {
        const answers = await end()
        const during = answers.filter(({ sentAt, ms }) => sentAt + ms < revoking)
        assert.ok(during.length > 2)
        assertRead(during, replica)
        const times = during.map(({ ms }) => ms)
        assert.ok(median(times) < slackMs, `an answer took ${median(times)} ms`)
        t.diagnostic(`${during.length} answers, the longest took ${Math.max(...times).toFixed(0)} ms`)
      }
      const count = async (what: string) =>
        Number((await askPostgres(scene.database, `SELECT count(*) AS n FROM ${what}`))[0]?.['n'])
      assert.equal(await count('keys'), 2)
      const [[, { answers }] = assert.fail()] = readers
      const served = answers.filter(({ status }) => status === 200).length
      await until(async () => (await count("audit WHERE act = 'read' AND outcome = 'done'")) >= served)
      t.diagnostic(`back after ${backMs.toFixed(0)} ms, then revoked elsewhere after ${refusedMs.toFixed(0)} ms`)
    })

  for (const [name, take] of Object.entries(revocations))
    void test(`one that is cut off from the database refuses every key within a second, with ${name}`, async (one) => {
      const scene = await makeScene(one)
      const [cut, whole] = [await scene.start(), await scene.start()]
      await whole.act('POST', '/connections', { id: 'c', ...account })
      const { id, key } = await whole.makeKey()
      await warm([cut, whole], key)
      cut.pg.setState('cut')
      await goesOn(cut, key)
      assert.equal((await cut.ready()).status, 200)
      const there = reading(() => cut.read(key), 5)
      assert.ok((await take(whole, id)).status < 300)
      const took = performance.now()
      await sleep(1.3 * promisedMs)
      const late = (await there.end()).filter(({ sentAt }) => sentAt > took)
      const lastMs = (late.findLast(({ status }) => status === 200)?.sentAt ?? took) - took
      assert.ok(lastMs < promisedMs, `let in after ${lastMs} ms`)
      // of its own: on a busy machine the last read of the reader may have begun long before
      const { status, json } = await cut.read(key)
      assert.deepEqual([status, json.error?.code], [503, 'store_unavailable'])
      assert.equal((await cut.ready()).status, 503, 'others are to be asked')
      cut.pg.setState('whole')
      await until(async () => (await cut.ready()).status === 200)
      one.diagnostic(`believed for ${lastMs.toFixed(0)} ms after the acknowledgement`)
    })

  void test('without mark nothing is believed: Redis away, or emptied, while the database is away', async (t) => {
    const own = await ownRedis()
    t.after(() => own.kill())
    const scene = await makeScene(t, own.url)
    const [a, b] = [await scene.start(), await scene.start()]
    await a.act('POST', '/connections', { id: 'c', ...account })
    const { id, key } = await a.makeKey()
    await warm([a, b], key)
    b.pg.setState('frozen')
    await goesOn(b, key)
    b.redis.setState('cut')
    const cut = performance.now()
    assert.equal((await a.act('DELETE', `/keys/${id}`)).status, 200)
    await until(async () => (await b.read(key)).status === 503, slackMs)
    const refusedMs = performance.now() - cut
    b.redis.setState('whole')
    const seen = reading(() => b.read(key), 5)
    await sleep(promisedMs)
    assert.deepEqual(statusesOf(await seen.end()), [503])
    const { ms } = await b.read(key)
    assert.ok(ms < slackMs, `${ms} ms`)
    b.pg.setState('whole')
    await until(async () => (await b.read(key)).status === 401)

    const { key: other } = await a.makeKey()
    await settled()
    await warm([a, b], other)
    b.pg.setState('cut')
    await goesOn(b, other)
    await own.kill()
    await own.start()
    await until(async () => (await b.read(other)).status === 503)
    b.pg.setState('whole')
    await until(async () => (await b.read(other)).status === 200)
    t.diagnostic(`without Redis refused after ${refusedMs.toFixed(0)} ms`)
  })

  void test('who takes something away and cannot tell Redis says so, and until when it may be believed', async (t) => {
    const scene = await makeScene(t)
    const [cut, mute] = [await scene.start(), await scene.start()]
    await mute.act('POST', '/connections', { id: 'c', ...account })
    const { id, key } = await mute.makeKey()
    const { id: second } = await mute.makeKey()
    await warm([cut, mute], key)
    cut.pg.setState('cut')
    mute.redis.setState('cut')
    await goesOn(cut, key)
    const from = Date.now()
    const { json, ms } = await mute.act('DELETE', `/keys/${id}`)
    assert.equal(json.revoked, true)
    const late = Date.parse(json.untoldUntil) - from
    assert.ok(late > 299_000 && late < 320_000, `${json.untoldUntil}, ${ms} ms`)
    assert.ok(mute.events.some(({ kind }) => kind === 'taking_untold'))
    assert.equal((await mute.read(key)).status, 401)
    // two partitions at once: this is the bound
    await until(async () => (await cut.read(key)).status === 200)
    // once Redis is reachable again, every replica learns of it without another act
    mute.redis.setState('whole')
    await until(async () => (await cut.read(key)).status === 503)
    assert.equal((await mute.act('DELETE', `/keys/${second}`)).json.untoldUntil, null)
  })

  void test('a replica that reaches both stores relays the revocations of one that does not, and of a command that ended early', async (t) => {
    const scene = await makeScene(t)
    const [cut, whole] = [await scene.start(), await scene.start()]
    await whole.act('POST', '/connections', { id: 'c', ...account })
    const { id, key } = await whole.makeKey()
    await warm([cut, whole], key)
    cut.pg.setState('cut')
    await goesOn(cut, key)
    // as by a command whose settings name no Redis
    const settings = settingsOf(scene.database, scene.platform)
    const office = await openCore(settings, { folder: '/', secrets: {}, observe: () => {}, now: Date.now })
    assert.equal(await office.keys.revoke(id, tester), true)
    await office.close()
    await until(async () => (await cut.read(key)).status === 503)
  })

  void test('what is taken away by hand is refused within a second of the return', async (t) => {
    const scene = await makeScene(t)
    const a = await scene.start()
    await a.act('POST', '/connections', { id: 'c', ...account })
    const { id, key } = await a.makeKey()
    await warm([a], key)
    for (const wire of ['cut', 'frozen'] as const) {
      a.pg.setState(wire)
      const before = kinds(a).length
      const reader = reading(() => a.read(key))
      await until(() => kinds(a).length > before)
      await askPostgres(scene.database, `UPDATE keys SET revoked_at = 1 WHERE id = '${id}'`)
      a.pg.setState('whole')
      await until(async () => (await a.read(key)).status === 401, slackMs)
      await reader.end()
      await askPostgres(scene.database, `UPDATE keys SET revoked_at = NULL WHERE id = '${id}'`)
      await until(async () => (await a.read(key)).status === 200)
    }
  })

  void test('nothing is believed past the bound, or where the setting is 0', async (t) => {
    const scene = await makeScene(t)
    const [brief, none] = [await scene.start({ storeOutageSeconds: 2 }), await scene.start({ storeOutageSeconds: 0 })]
    await brief.act('POST', '/connections', { id: 'c', ...account })
    const { key } = await brief.makeKey()
    await warm([brief, none], key)
    for (const { pg } of [brief, none]) pg.setState('cut')
    const cut = performance.now()
    await until(async () => (await none.read(key)).status === 503, slackMs)
    assert.equal((await brief.read(key)).status, 200)
    await until(async () => (await brief.read(key)).status === 503)
    assert.ok(performance.now() - cut > 1_000)
    await until(async () => (await brief.ready()).status === 503)
    assert.equal((await none.ready()).status, 503)
    assert.deepEqual(kinds(none), ['store_away'])
  })
})
