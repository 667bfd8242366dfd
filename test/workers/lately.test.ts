import assert from 'node:assert/strict'
import test from 'node:test'
import { operatorToken } from '../custody/program.ts'
import { sum } from '../history/noted.ts'
import { listen, names } from '../operator/listener.ts'
import { checkSchema } from '../operator/manager.ts'
import { until } from '../ground/until.ts'
import { many, read, type Scene, startScene } from './scene.ts'

async function overviewOf({ operate }: Scene) {
  const { status, json } = await operate('GET', '/operator/v1/overview')
  assert.equal(status, 200)
  checkSchema('Overview', json)
  return json
}

async function cardOf(scene: Scene) {
  const [card] = (await overviewOf(scene)).items
  return card
}

const listenTo = ({ installation }: Scene, t: test.TestContext) =>
  listen(t, Number(new URL(installation.operatorUrl).port), { token: operatorToken })

test('the overview and the health page add up what all workers did, and count nothing twice', async (t) => {
  const scene = await startScene(t)
  const { key } = await scene.issue()
  for (let round = 1; round <= 3; round++) {
    await many(20, () => read(scene, key))
    // several look at once
    const cards = await many(5, () => cardOf(scene))
    for (const { hour, perMinute } of [...cards, await cardOf(scene)]) {
      assert.deepEqual([hour.calls, hour.requests, hour.errors], [20 * round, 20 * round, 0])
      assert.equal(sum(perMinute.calls), 20 * round)
    }
  }
  const { service } = await overviewOf(scene)
  assert.deepEqual(
    service.workers.map(({ worker, answers }: any) => [worker, answers]),
    [
      [1, true],
      [2, true],
    ],
  )
  const { json } = await scene.operate('GET', '/operator/v1/health')
  checkSchema('Health', json)
  assert.deepEqual([sum(json.requests.ok), sum(json.platform.ok)], [60, 60])
  assert.deepEqual([json.operations.length, json.operations[0].requests], [1, 60])
})

test('what a worker told stays when it dies, and its successor adds to it', async (t) => {
  const scene = await startScene(t)
  const { key } = await scene.issue()
  await many(20, () => read(scene, key))
  assert.equal((await cardOf(scene)).hour.calls, 20)
  const [first = 0] = await scene.pids()
  process.kill(first, 'SIGKILL')
  await until(() => scene.lines('worker_started').length === 1)
  assert.equal((await cardOf(scene)).hour.calls, 20)
  await many(20, () => read(scene, key))
  assert.equal((await cardOf(scene)).hour.calls, 40)
})

test('a worker that is silent for a while is said to be, and nothing that it did is lost or counted twice', async (t) => {
  const scene = await startScene(t)
  const { key } = await scene.issue()
  await many(20, () => read(scene, key))
  await cardOf(scene)
  await many(20, () => read(scene, key))
  const [first = 0] = await scene.pids()
  process.kill(first, 'SIGSTOP')
  try {
    const { service, items } = await overviewOf(scene)
    assert.deepEqual(
      service.workers.map(({ answers }: any) => answers),
      [false, true],
    )
    assert.ok(items[0].hour.calls >= 20 && items[0].hour.calls < 40)
  } finally {
    process.kill(first, 'SIGCONT')
  }
  await until(async () => (await cardOf(scene)).hour.calls === 40)
  await many(20, () => read(scene, key))
  await until(async () => (await cardOf(scene)).hour.calls === 60)
})

test('whoever listens hears of all workers, and the end of the service does not wait for him', async (t) => {
  const scene = await startScene(t)
  const { key } = await scene.issue()
  const listener = await listenTo(scene, t)
  await listener.until('all is told', () => names(listener).includes('whole'))
  await many(20, () => read(scene, key))
  await listener.until('the calls are told', () => listener.cards.get('acme').hour.calls === 20)
  const [first = 0] = await scene.pids()
  process.kill(first, 'SIGKILL')
  await listener.until('its successor is told', () => {
    const { workers } = listener.told.findLast(({ name }) => name === 'service')?.data ?? {}
    return workers.every(({ answers, pid }: any) => answers && pid !== first)
  })
  assert.equal(listener.cards.get('acme').hour.calls, 20)
  const begunAt = performance.now()
  scene.kill('SIGTERM')
  assert.deepEqual((await scene.exit())[0], 0)
  assert.ok(performance.now() - begunAt < 4_000, `${performance.now() - begunAt} ms`)
  await listener.until('the end', () => listener.hasEnded())
  assert.deepEqual(listener.told.at(-1)?.data, { reason: 'stopping' })
})
