import assert from 'node:assert/strict'
import test from 'node:test'
import { startOverSandbox, tester } from '../support/service.ts'

test('whoami returns the grant of the key, never its secret, without a platform call', async (t) => {
  const { sandbox, service, close } = await startOverSandbox()
  t.after(close)
  const expiresAt = Date.now() + 3_600_000
  const key = await service.issue({
    name: 'ci',
    connections: ['acme', 'gone'],
    groups: ['apps'],
    expiresAt,
    perMinute: 9,
  })
  const { status, json, text, headers } = await service.ask('/v1/whoami', { key })
  assert.equal(status, 200)
  const { createdAt, ...rest } = json
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 10_000)
  assert.deepEqual(rest, {
    id: key.split('_')[2],
    name: 'ci',
    connections: ['acme'],
    endedConnections: ['gone'],
    allConnections: false,
    groups: ['apps'],
    apps: null,
    personal: true,
    perMinute: 9,
    platformCalls: null,
    expiresAt: new Date(expiresAt).toISOString(),
  })
  assert.ok(!text.includes(key.split('_')[3] ?? ''))
  assert.equal(headers['ratelimit-policy'], '"key";q=9;w=60')
  assert.equal(sandbox.asked.length, 0)
})

test('whoami of an unrestricted key lists all connections and groups', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const { json } = await service.ask('/v1/whoami')
  assert.deepEqual([json.connections, json.allConnections, json.expiresAt], [['acme', 'other', 'solo'], true, null])
})

test('whoami is rejected like every other route: key, method, query', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  assert.equal((await service.ask('/v1/whoami', { key: undefined })).json.error.code, 'key_missing')
  assert.equal((await service.ask('/v1/whoami', { method: 'POST' })).status, 405)
  const { status, json } = await service.ask('/v1/whoami?verbose=1')
  assert.deepEqual([status, json.error.code, json.error.param], [400, 'unknown_parameter', 'verbose'])
  for (const path of ['/v1/whoami/', '/v1/whoami/x', '/v1//whoami', '/v1/WHOAMI'])
    assert.equal((await service.ask(path)).status, 404, path)
  assert.equal((await service.ask('/v1/whoami', { method: 'HEAD' })).text, '')
  const revoked = await service.issue()
  await service.running.keys.revoke(revoked.split('_')[2] ?? '', tester)
  assert.equal((await service.ask('/v1/whoami', { key: revoked })).status, 401)
})

test('the last use of a key is recorded approximately, and not shown to its holder', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const key = await service.issue({ name: 'used' })
  const find = async () => (await service.running.keys.list()).find(({ name }) => name === 'used')
  assert.equal((await find())?.lastUsedAt, null)
  await service.ask('/v1/whoami', { key })
  for (const until = Date.now() + 5_000; (await find())?.lastUsedAt === null && Date.now() < until;)
    await new Promise((ok) => setTimeout(ok, 50))
  assert.ok(Math.abs(((await find())?.lastUsedAt ?? 0) - Date.now()) < 10_000)
})
