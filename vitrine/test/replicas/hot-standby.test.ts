// A store address that leads to a hot standby: its records are not used, and the service recovers when the address leads to the
// primary again. With separate servers that lag, are cut off, promoted and demoted.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { judgeStore } from '../../src/doctor/store-checks.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/open.ts'
import { noOwnPostgres, type OwnPostgres, ownPostgres } from '../cluster/own-postgres.ts'
import { askPostgres } from '../../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'
import { account, makeScene, type Replica } from './outage-services.ts'

const skip = noOwnPostgres || noRedis
const standbyMessage = /hot standby/
const alone = { redis: undefined, storeOutageSeconds: 0 }

const readyOf = async (replica: Replica) => (await replica.ready()).status

async function untilRefused(replica: Replica) {
  // on a busy machine the first refusals may say that the database does not answer
  await until(async () => {
    const { status, json } = await replica.ready()
    if (status === 503) assert.equal(json.error.code, 'store_unavailable')
    return status === 503 && standbyMessage.test(json.error.message)
  })
  await until(async () => (await replica.metric('vitrine_store_up')) === '0')
}

const downReasons = ({ events }: Replica) =>
  events.filter((event) => event.kind === 'store_away').map(({ reason }) => reason)

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

  /** on a busy machine the log may report first that the database does not answer: then the address is moved again */
  async function untilLogged(replica: Replica, standbyPort: number, key: string) {
    for (let tries = 0; tries < 5 && !downReasons(replica).some((reason) => standbyMessage.test(reason)); tries++) {
      if (tries > 0) {
        replica.pg.pointTo(primary.port)
        await untilServing(replica, key)
        replica.pg.pointTo(standbyPort)
      }
      await untilRefused(replica)
    }
    assert.match(downReasons(replica).join(), standbyMessage)
  }

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
    test(`never accepts a revoked key, ${how}, and recovers when the address leads to the primary`, async (t) => {
      const { right, wrong, lost, kept } = await makePair(t, settings)
      const lagging = await standby(t, ['recovery_min_apply_delay=1h'])
      wrong.pg.pointTo(lagging.port)
      assert.equal((await right.act('DELETE', `/keys/${lost.id}`)).status, 200)
      const began = performance.now()
      while (performance.now() - began < 2_500) {
        const at = performance.now()
        const { status } = await wrong.read(lost.key)
        assert.ok(status !== 200 || at - began < 1_000, `200 after ${at - began} ms`)
      }
      await untilRefused(wrong)
      await untilLogged(wrong, lagging.port, kept.key)
      await until(async () => (await readyOf(right)) === 200)
      assert.equal((await askPostgres(lagging.url, 'SELECT 1 FROM keys WHERE revoked_at IS NULL')).length > 1, true)
      wrong.pg.pointTo(primary.port)
      await untilServing(wrong, kept.key)
      assert.equal((await wrong.read(lost.key)).status, 401)
    })

  test('is refused at the start, and the doctor gives the reason', async (t) => {
    const { url } = await standby(t)
    await assert.rejects(() => openStore(url), standbyMessage)
    const settings = readSettings({ store: url }, {})
    const installation = { folder: '/', settings, secrets: {} } as unknown as Parameters<typeof judgeStore>[0]
    const verdict = await judgeStore(installation, AbortSignal.timeout(5_000))
    await installation.openStore?.store.close()
    assert.equal(verdict.state, 'fail')
    assert.match(JSON.stringify(verdict), standbyMessage)
  })

  test('is noticed at once where it lags behind a migration and lacks a table', async (t) => {
    const { protocol, username, hostname } = new URL(primary.url)
    const at = (port: number) => `${protocol}//${username}@${hostname}:${port}/young`
    await askPostgres(primary.url, 'CREATE DATABASE young')
    const lagging = await standby(t, ['recovery_min_apply_delay=1h'])
    const scene = await makeScene(t, redisUrl, at(primary.port))
    const [right, wrong] = [await scene.start(), await scene.start()]
    assert.equal((await right.act('POST', '/connections', { id: 'c', ...account })).status, 201)
    const { key } = await right.makeKey()
    await untilServing(wrong, key)
    wrong.pg.pointTo(lagging.port)
    // an unknown key is in no cache, so the server is asked
    assert.equal((await wrong.read((await right.makeKey()).key)).status, 503)
    await untilRefused(wrong)
  })

  test('is noticed after a demotion, and accepted after a promotion, even after a network cut', async (t) => {
    const { wrong, kept } = await makePair(t, {})
    const next = await standby(t)
    wrong.pg.pointTo(next.port)
    await untilRefused(wrong)
    await untilLogged(wrong, next.port, kept.key)
    await primary.kill()
    // without its primary it never catches up
    await untilRefused(wrong)
    await askPostgres(next.url, 'SELECT pg_promote()')
    await untilServing(wrong, kept.key)
    assert.equal((await wrong.act('POST', '/keys', { name: 'x', connections: ['*'] })).status, 201)
    await next.demote()
    // after a long start, the log may already report the database as down
    await untilRefused(wrong)
  })
})
