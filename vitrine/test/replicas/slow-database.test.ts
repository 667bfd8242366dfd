// A database whose every answer takes 400 ms: callers read, the operator manages, and it does not count as down.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askPostgres, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { retryIfDisturbed } from '../../../base/test/retry-scene.ts'
import { account, makeScene, type Replica } from './outage-services.ts'

const skip = noPostgres || noRedis

/** a replica over a slow database, and a control that asks the same database without the delay */
async function startSlow(t: TestContext) {
  const scene = await makeScene(t)
  const replica = await scene.start()
  replica.pg.delay(200)
  let slowestMs = 0
  const over = new AbortController()
  const control = async () => {
    while (!over.signal.aborted) {
      const from = performance.now()
      await askPostgres(scene.database, 'SELECT 1').catch(() => undefined)
      slowestMs = Math.max(slowestMs, performance.now() - from)
      await sleep(50)
    }
  }
  const asking = control()
  t.after(async () => (over.abort(), await asking))
  return { replica, wasDisturbed: () => slowestMs > 200 }
}

async function manage(replica: Replica) {
  const act = async (wanted: number, ...asked: Parameters<typeof replica.act>) => {
    const { status, json } = await replica.act(...asked)
    assert.equal(status, wanted, `${asked[0]} ${asked[1]}: ${JSON.stringify(json)}`)
    return json
  }
  await act(201, 'POST', '/connections', { id: 'c', ...account })
  const { id, key } = await act(201, 'POST', '/keys', { name: 'k', connections: ['*'] })
  assert.equal((await replica.read(key)).status, 200)
  const next = await act(201, 'POST', `/keys/${id}/reroll`, { overlap: '0' })
  assert.equal((await replica.read(next.key)).status, 200)
  for (const path of ['/keys', '/audit']) await act(200, 'GET', path)
  await act(200, 'DELETE', `/keys/${next.id}`)
  // idle connections are closed after ten seconds, and new ones have the same latency
  await sleep(10_500)
  await act(201, 'POST', '/keys', { name: 'k', connections: ['*'] })
  assert.equal((await replica.ready()).status, 200)
  await act(200, 'DELETE', '/connections/c')
  assert.deepEqual(
    replica.events.filter(({ kind }) => kind === 'store_away'),
    [],
  )
}

test('a database with a latency of 400 ms works, and does not count as down', { skip, timeout: 180_000 }, (t) =>
  retryIfDisturbed(
    () => startSlow(t),
    ({ replica }) => manage(replica),
  ),
)
