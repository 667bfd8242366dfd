// Replicas whose clocks differ by an hour and by days: what is stored with a time is compared with the store's clock alone.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'
import { account, makeScene, type Replica } from './outage-services.ts'

const skip = noPostgres || noRedis
const hourMs = 3_600_000
const promisedMs = 1_000
/** on a machine that does much else */
const slackMs = 1_000
const aheads = [0, hourMs, -hourMs, 49 * hourMs, -49 * hourMs]

async function startAll(t: TestContext): Promise<[Replica, ...Replica[]]> {
  const scene = await makeScene(t)
  const first = await scene.start()
  const others = await Promise.all(aheads.slice(1).map((ahead) => scene.start({}, ahead)))
  assert.equal((await first.act('POST', '/connections', { id: 'c', ...account })).status, 201)
  return [first, ...others]
}

/** whether the key is accepted; the platform refuses tokens dated by a wrong clock */
const judge = async (replica: Replica, key: string) => (await replica.get('/v1/whoami', key)).status

test(
  'a reroll without an overlap is a revocation on every replica within a second, whatever their clocks',
  { skip },
  async (t) => {
    const replicas = await startAll(t)
    for (const [at, replica] of replicas.entries()) {
      const { id, key } = await replica.makeKey()
      for (const other of replicas) assert.equal(await judge(other, key), 200)
      const { status, json } = await replica.act('POST', `/keys/${id}/reroll`, { overlap: '0' })
      assert.equal(status, 201)
      const done = performance.now()
      await Promise.all(replicas.map((other) => until(async () => (await judge(other, key)) === 401)))
      assert.ok(performance.now() - done < promisedMs + slackMs, `clock ${aheads[at]} ms ahead`)
      for (const other of replicas) {
        assert.equal(await judge(other, json.key), 200)
        assert.equal((await other.act('GET', `/keys/${id}`)).json.state, 'revoked')
      }
    }
  },
)

test('a key with an expiry, and a cursor, are valid on every replica alike', { skip }, async (t) => {
  const replicas = await startAll(t)
  const [first] = replicas
  for (const replica of replicas) {
    const began = Date.now()
    const { json } = await replica.act('POST', '/keys', { name: 'x', connections: ['*'], expires: '1h' })
    const endsIn = Date.parse(json.expiresAt) - began
    assert.ok(Math.abs(endsIn - hourMs) < 30_000, `ends in ${endsIn} ms`)
    for (const other of replicas) assert.equal(await judge(other, json.key), 200)
  }
  const { key } = await first.makeKey()
  const walk = '/v1/connections/c/apps?limit=1&fields=name'
  const { nextCursor } = (await first.get(walk, key)).json
  assert.equal(typeof nextCursor, 'string')
  for (const other of replicas)
    assert.notEqual((await other.get(`${walk}&cursor=${nextCursor}`, key)).json.error?.code, 'cursor_expired')
})
