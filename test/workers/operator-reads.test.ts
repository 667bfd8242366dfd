import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, operatorToken } from '../custody/program.ts'
import { until } from '../ground/until.ts'
import { many, read, startScene } from './scene.ts'

test('the operator reads in the primary, with the cursors of the workers and under the turns of all', async (t) => {
  const scene = await startScene(t, { settings: { audit: { reads: true } } })
  const { platform, installation, operate, issue, lines } = scene
  const { key } = await issue()
  const through = (target: string) => operate('POST', '/operator/v1/read', { connection: 'acme', target })

  await t.test('the same answer, at a cost of one call', async () => {
    const there = await ask(installation.url, '/v1/connections/acme/apps?limit=1', key)
    const before = platform.calls
    const here = await through('/apps?limit=1')
    assert.deepEqual([here.status, here.json.status, here.json.cost.calls], [200, 200, 1])
    assert.deepEqual(here.json.body, there.json)
    assert.equal(platform.calls, before + 1)
  })

  await t.test('a cursor of a worker goes on here, and the other way round', async () => {
    platform.next = true
    const there = await ask(installation.url, '/v1/connections/acme/apps?limit=1', key)
    const here = (await through(`/apps?limit=1&cursor=${there.json.nextCursor}`)).json
    assert.deepEqual([here.status, here.body.items[0].name], [200, 'one'])
    assert.match(here.asked[0].get, /&cursor=P2$/)
    const back = await ask(installation.url, `/v1/connections/acme/apps?limit=1&cursor=${here.body.nextCursor}`, key)
    assert.equal(back.status, 200)
    platform.next = false
  })

  await t.test('it never adds a call to those that may be under way, and waits its turn for no crowd', async () => {
    Object.assign(platform, { delayMs: 30, mostRunning: 0 })
    const crowd = many(80, () => read(scene, key))
    await until(() => platform.running === 6)
    await sleep(50)
    const begun = platform.calls
    const mine = await Promise.all([1, 2, 3, 4].map((limit) => through(`/apps?limit=${limit}&name=mine`)))
    assert.deepEqual(
      mine.map(({ json }) => json.status),
      [200, 200, 200, 200],
    )
    assert.ok(platform.calls - begun < 50, `${platform.calls - begun} calls went first`)
    assert.ok(mine.some(({ json }) => json.cost.waitedMs > 0))
    await crowd
    assert.equal(platform.mostRunning, 6)
    platform.delayMs = 0
  })

  await t.test('it is a line of the log of the primary, and of the audit of reads', async () => {
    const told = lines('answered').filter(({ operation }) => operation === 'readThrough')
    assert.ok(told.length >= 6)
    assert.ok(told.every(({ worker, connection }) => worker === undefined && connection === 'acme'))
    const audited = async () =>
      (await operate('GET', '/operator/v1/audit?act=read&limit=200')).json.items.filter(({ who }: { who: string }) =>
        who.startsWith('operator:'),
      )
    await until(async () => (await audited()).length === told.length)
    assert.ok(!JSON.stringify(await audited()).includes(operatorToken))
  })
})
