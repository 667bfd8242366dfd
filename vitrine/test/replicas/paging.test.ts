import assert from 'node:assert/strict'
import test from 'node:test'
import { isList } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { startReplicas, startReplicasOverSandbox } from '../support/replicas.ts'
import { type Script, send } from '../support/scripted-platform.ts'

const skip = noPostgres || noRedis

const pathOf = (example: string): string => example.split('?', 1)[0] ?? ''

for (const [how, redis, cacheSeconds] of [
  ['that share nothing but their store', null, 0],
  ['that read once and remember together', redisUrl, 60],
] as const)
  test(`paging over two replicas in turn is exact, ${how}`, { skip, timeout: 120_000 }, async (t) => {
    const { askOne } = await startReplicasOverSandbox(t, { redis: () => redis, file: { cacheSeconds } })
    let [longest, pages] = [0, 0]
    for (const route of routes.filter(isList)) {
      const path = pathOf(route.example)
      const whole = (await askOne(0, `${path}?limit=200`)).json
      assert.equal(whole.nextCursor, null, route.operation)
      const items: unknown[] = []
      let length = 0
      for (let cursor: string | null = ''; cursor !== null; length++) {
        const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`
        const { status, json, text } = await askOne(pages + length, path + query)
        assert.equal(status, 200, text)
        items.push(...json.items)
        cursor = json.nextCursor
      }
      assert.deepEqual(items, whole.items, route.operation)
      longest = Math.max(longest, length)
      pages += length
    }
    assert.ok(longest >= 3 && pages >= 40, `${pages} pages`)
  })

test(
  'paging goes on at another replica when the first one is gone, with its own platform token',
  { skip },
  async (t) => {
    const endless: Script = (call, res) => {
      const at = Number(call.query.get('cursor') ?? 0)
      const next = `${call.url.replace(/&cursor=.*/, '')}&cursor=${at + 1}`
      send(res, { data: [{ type: 'apps', id: `app${at}`, attributes: {} }], links: { next } })
    }
    const { platform, services, askOne, close } = await startReplicas(t, endless)
    const [first] = services
    assert.ok(first)
    let { json } = await askOne(0, '/apps')
    await close(first)
    for (let at = 1; at < 4; at++) {
      json = (await askOne(1, `/apps?cursor=${json.nextCursor}`)).json
      assert.deepEqual(json.items, [{ id: `app${at}` }])
    }
    const [signed, ...others] = platform.calls.map(({ headers }) => headers.authorization)
    assert.equal(new Set(others).size, 1)
    assert.notEqual(others[0], signed)
  },
)
