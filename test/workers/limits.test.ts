import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { numberOf, parse, checkAllowed, allowed } from '../operator/scrape.ts'
import { comesTo, until } from '../ground/until.ts'
import { many, read, scrape, startScene } from './scene.ts'

const countOf = (answers: readonly { status: number }[], status: number) =>
  answers.filter((one) => one.status === status).length

test('what two workers share stays exact: rates, turns, quota, lock-outs, keys; and what they count adds up', async (t) => {
  const scene = await startScene(t, { settings: { rateLimit: { perMinute: 0, failuresPerMinute: 40 } } })
  const { platform, lines, issue, operate } = scene
  const { key } = await issue()
  let ok = 0

  await t.test('a key of 50 a minute gets exactly 50 of 200 requests on as many sockets', async () => {
    const limited = await issue({ perMinute: 50 })
    const answers = await many(200, () => read(scene, limited.key))
    assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [50, 150])
    ok += 50
    // both have answered, and each line says who
    const by = () => lines('answered').flatMap(({ operation, worker }) => (operation === 'listApps' ? [worker] : []))
    await comesTo(async () => [...new Set(by())].toSorted((a, b) => a - b), [1, 2])
  })

  await t.test('never more than upstream.concurrency calls are under way, and that many are', async () => {
    Object.assign(platform, { delayMs: 20, mostRunning: 0 })
    const answers = await many(60, () => read(scene, key))
    assert.deepEqual([countOf(answers, 200), platform.mostRunning], [60, 6])
    ok += 60
  })

  await t.test('a facade key with one request does not wait for all those of another', async () => {
    Object.assign(platform, { delayMs: 30 })
    const second = await issue()
    const crowd = many(120, () => read(scene, key))
    await until(() => platform.running === 6)
    await sleep(50)
    const begun = platform.calls
    const answers = await many(4, () => read(scene, second.key))
    assert.equal(countOf(answers, 200), 4)
    assert.ok(platform.calls - begun < 60, `${platform.calls - begun} calls went first`)
    assert.equal(countOf(await crowd, 200), 120)
    ok += 124
  })

  await t.test('a revoked key is refused by all at once', async () => {
    platform.delayMs = 0
    const gone = await issue()
    assert.equal(countOf(await many(8, () => read(scene, gone.key)), 200), 8)
    ok += 8
    await operate('DELETE', `/operator/v1/keys/${gone.id}`)
    assert.equal(countOf(await many(16, () => read(scene, gone.key)), 401), 16)
  })

  await t.test('a scrape adds up what all have counted, and says of the platform key once what is so', async () => {
    const samples = parse(await scrape(scene))
    const of = (name: string, labels?: Record<string, string>) => numberOf(samples, `vitrine_${name}`, labels)
    checkAllowed(samples.filter(({ name }) => name !== 'vitrine_workers'))
    assert.ok(!('vitrine_workers' in allowed))
    assert.equal(of('requests_total', { operation: 'listApps', outcome: 'ok' }), ok)
    assert.equal(of('platform_calls_total', { connection: 'acme', outcome: 'ok' }), platform.calls)
    assert.equal(
      of('request_seconds_count', { operation: 'createKey' }),
      lines('answered').filter((one) => one.operation === 'createKey').length,
    )
    assert.deepEqual(
      [of('platform_running', { connection: 'acme' }), of('breaker_state', { connection: 'acme' })],
      [0, 0],
    )
    assert.deepEqual([of('workers', { state: 'serving' }), of('workers', { state: 'silent' })], [2, 0])
    const status = (await operate('GET', '/operator/v1/status')).json
    assert.deepEqual(
      status.connections.map((one: { connection: string }) => one.connection),
      ['acme'],
    )
    assert.ok(status.ready && status.connections[0].lastAnswerAt !== null)
    assert.deepEqual(
      status.workers.map((one: { worker: number; answers: boolean }) => [one.worker, one.answers]),
      [
        [1, true],
        [2, true],
      ],
    )
  })

  await t.test('the hour of a platform key is used up and not passed', async () => {
    Object.assign(platform, { left: 40, delayMs: 5, calls: 0 })
    await read(scene, key)
    await sleep(150)
    const answers = await many(80, () => read(scene, key))
    const other = await issue()
    const rest = await many(80, () => read(scene, other.key))
    assert.equal(platform.calls - 1, countOf([...answers, ...rest], 200))
    assert.equal(platform.left, 0, 'all of it was used')
    assert.equal(platform.calls, 40, 'and nothing beyond')
    assert.equal(countOf([...answers, ...rest], 429), 160 - 39)
  })

  await t.test('a network that sends bad keys is locked out by all', async () => {
    // 16 were told so when a key was revoked
    const bad = await many(60, () => read(scene, `${key.slice(0, -1)}!`))
    assert.ok(countOf(bad, 401) >= 24 && countOf(bad, 401) + countOf(bad, 429) === 60)
    await sleep(50)
    assert.equal(countOf(await many(16, () => read(scene, `${key.slice(0, -1)}!`)), 429), 16)
    assert.equal((await read(scene, key)).status, 429, 'a key that is good is heard, and meets its own limit')
  })
})
