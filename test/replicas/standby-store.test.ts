// An address of the store that leads to a hot standby: nothing is believed there, and it heals when the address leads to the
// primary again. With servers of its own, which lag, are cut off, promoted and demoted.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { judgeStore } from '../../src/doctor/store-checks.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/open.ts'
import { noOwnPostgres, type OwnPostgres, ownPostgres } from '../cluster/own-postgres.ts'
import { askPostgres } from '../ground/postgres.ts'
import { noRedis, redisUrl } from '../ground/redis.ts'
import { until } from '../ground/until.ts'
import { account, makeScene, type Replica } from './outage-scene.ts'

const skip = noOwnPostgres || noRedis
const words = /hot standby/
const alone = { redis: undefined, storeOutageSeconds: 0 }

const readyOf = async (replica: Replica) => (await replica.ready()).status

async function untilRefused(replica: Replica) {
  await until(async () => (await readyOf(replica)) === 503)
  const { json } = await replica.ready()
  assert.equal(json.error.code, 'store_unavailable')
  assert.match(json.error.message, words)
  assert.equal(await replica.metric('vitrine_store_up'), '0')
}

const untilTold = (replica: Replica) =>
  until(() => replica.events.some((event) => event.kind === 'store_away' && words.test(event.reason)))

async function untilServing(replica: Replica, key: string) {
  await until(async () => (await readyOf(replica)) === 200 && (await replica.read(key)).status === 200)
  await until(async () => (await replica.metric('vitrine_store_up')) === '1')
}

describe('a store address that leads to a hot standby', { skip }, () => {
  let primary: OwnPostgres
  const started: OwnPostgres[] = []
  const standby = async (t: TestContext, settings?: readonly string[]) => {
    const one = await primary.standby(settings)
    t.after(() => one.close())
    return one
  }

  before(async () => started.push((primary = await ownPostgres())))
  after(async () => {
    for (const server of started) await server.close()
  })

  async function makePair(t: TestContext, settings: object) {
    const scene = await makeScene(t, redisUrl, primary.url)
    const [right, wrong] = [await scene.start(settings), await scene.start(settings)]
    await right.act('DELETE', '/connections/c')
    assert.equal((await right.act('POST', '/connections', { id: 'c', ...account })).status, 201)
    const [lost, kept] = [await right.makeKey(), await right.makeKey()]
    for (const { key } of [lost, kept]) await untilServing(wrong, key)
    return { right, wrong, lost, kept }
  }

  for (const [how, settings] of [
    ['with Redis', {}],
    ['without Redis', alone],
  ] as const)
    test(`answers no revoked key however far it lags, ${how}, and heals when it leads to the primary`, async (t) => {
      const { right, wrong, lost, kept } = await makePair(t, settings)
      const lagging = await standby(t, ['recovery_min_apply_delay=1h'])
      wrong.pg.lead(lagging.port)
      assert.equal((await right.act('DELETE', `/keys/${lost.id}`)).status, 200)
      const began = performance.now()
      while (performance.now() - began < 2_500) {
        const at = performance.now()
        const { status } = await wrong.read(lost.key)
        assert.ok(status !== 200 || at - began < 1_000, `200 after ${at - began} ms`)
      }
      await untilRefused(wrong)
      await untilTold(wrong)
      assert.equal(await readyOf(right), 200)
      assert.equal((await askPostgres(lagging.url, 'SELECT 1 FROM keys WHERE revoked_at IS NULL')).length > 1, true)
      wrong.pg.lead(primary.port)
      await untilServing(wrong, kept.key)
      assert.equal((await wrong.read(lost.key)).status, 401)
    })

  test('is refused at the start, and the doctor says why', async (t) => {
    const { url } = await standby(t)
    await assert.rejects(() => openStore(url), words)
    const settings = readSettings({ store: url }, {})
    const patient = { folder: '/', settings, secrets: {} } as unknown as Parameters<typeof judgeStore>[0]
    const verdict = await judgeStore(patient, AbortSignal.timeout(5_000))
    await patient.look?.store.close()
    assert.equal(verdict.state, 'fail')
    assert.match(JSON.stringify(verdict), words)
  })

  test('is noticed at once where it lags behind a migration, and knows no table that is asked for', async (t) => {
    const { protocol, username, hostname } = new URL(primary.url)
    const at = (port: number) => `${protocol}//${username}@${hostname}:${port}/young`
    await askPostgres(primary.url, 'CREATE DATABASE young')
    const lagging = await standby(t, ['recovery_min_apply_delay=1h'])
    const scene = await makeScene(t, redisUrl, at(primary.port))
    const [right, wrong] = [await scene.start(), await scene.start()]
    assert.equal((await right.act('POST', '/connections', { id: 'c', ...account })).status, 201)
    const { key } = await right.makeKey()
    await untilServing(wrong, key)
    wrong.pg.lead(lagging.port)
    // an unknown key is looked for now: whatever was found before, the server is asked
    assert.equal((await wrong.read((await right.makeKey()).key)).status, 503)
    assert.match((await wrong.ready()).json.error?.message ?? '', words)
  })

  test('is noticed when the server is demoted, and is left when it is promoted, also where it was cut off', async (t) => {
    const { wrong, kept } = await makePair(t, {})
    const next = await standby(t)
    wrong.pg.lead(next.port)
    await untilRefused(wrong)
    await untilTold(wrong)
    await primary.kill()
    // cut off from its primary it lags for ever
    await untilRefused(wrong)
    await askPostgres(next.url, 'SELECT pg_promote()')
    await untilServing(wrong, kept.key)
    assert.equal((await wrong.act('POST', '/keys', { name: 'x', connections: ['*'] })).status, 201)
    await next.demote()
    // where its start took a while, the log has told of the database before as one that does not answer
    await untilRefused(wrong)
  })
})
