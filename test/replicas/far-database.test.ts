// A database whose every answer takes 400 ms: callers read, the operator manages, and nobody takes it for away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPostgres } from '../ground/postgres.ts'
import { noRedis } from '../ground/redis.ts'
import { account, makeScene } from './outage-scene.ts'

const skip = noPostgres || noRedis

test('a database that is 400 ms away can be managed, and is not taken for away', { skip }, async (t) => {
  const scene = await makeScene(t)
  const replica = await scene.start()
  replica.pg.delay(200)
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
  // idle connections are closed after ten seconds, and made anew at the same distance
  await new Promise((ok) => setTimeout(ok, 10_500))
  await act(201, 'POST', '/keys', { name: 'k', connections: ['*'] })
  assert.equal((await replica.ready()).status, 200)
  await act(200, 'DELETE', '/connections/c')
  assert.deepEqual(
    replica.events.filter(({ kind }) => kind === 'store_away'),
    [],
  )
})
