// A hosted connection from its creation to its removal, as callers see it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { account, startManager } from './manager.ts'

const walk = '/v1/connections/studio/apps?limit=2'
const other = { ...account, keyId: 'OTHERKEY01', issuerId: '57246542-96fe-1a63-e053-0824d0110002' }

test('a new connection can be read at once, and its last use is recorded', async (t) => {
  const { service, ask } = await startManager(t)
  assert.equal((await service.ask(walk)).status, 404)
  assert.equal((await ask('POST', '/operator/v1/connections', { body: { id: 'studio', ...account } })).status, 201)
  const { status, json } = await service.ask(walk)
  assert.deepEqual([status, json.items.length], [200, 2])
  const used = async () => (await ask('GET', '/operator/v1/connections/studio')).json.lastUsedAt
  for (const until = Date.now() + 5_000; (await used()) === null && Date.now() < until;)
    await new Promise((ok) => setTimeout(ok, 50))
  assert.ok(Math.abs(Date.parse(await used()) - Date.now()) < 10_000)
})

test('paging goes on with a replaced key of the same account, and not with another account under the same id', async (t) => {
  const { service, ask } = await startManager(t)
  await ask('POST', '/operator/v1/connections', { body: { id: 'studio', ...account } })
  const { nextCursor } = (await service.ask(walk)).json
  const next = () => service.ask(`${walk}&cursor=${nextCursor}`)
  const replace = (body: object) => ask('POST', '/operator/v1/connections/studio/credentials', { body })
  assert.equal((await replace(account)).status, 200)
  assert.equal((await next()).status, 200)

  assert.equal((await replace(other)).status, 200)
  assert.deepEqual([(await next()).status, (await next()).json.error.code], [400, 'cursor_mismatch'])
  assert.equal((await service.ask(walk)).status, 200)

  assert.equal((await replace(account)).status, 200)
  assert.equal((await next()).json.error.code, 'cursor_mismatch', 'the same account again is another holding of it')
})

test('a removed connection is gone at once, and a new one with its id shares nothing with it', async (t) => {
  const { service, ask } = await startManager(t)
  const create = () => ask('POST', '/operator/v1/connections', { body: { id: 'studio', ...account } })
  await create()
  const { nextCursor } = (await service.ask(walk)).json
  assert.equal((await ask('DELETE', '/operator/v1/connections/studio')).status, 200)
  for (const path of [walk, `${walk}&cursor=${nextCursor}`]) {
    const { status, json } = await service.ask(path)
    assert.deepEqual([status, json.error.code], [404, 'connection_not_found'])
  }
  await create()
  assert.equal((await service.ask(walk)).status, 200)
  assert.equal((await service.ask(`${walk}&cursor=${nextCursor}`)).json.error.code, 'cursor_mismatch')
})

test('with `tokenScope` each token is for one read; with `linkage` relationships are requested', async (t) => {
  const { service, ask } = await startManager(t)
  const body = { id: 'studio', ...account, tokenScope: 'request', linkage: 'asked' }
  const { json } = await ask('POST', '/operator/v1/connections', { body })
  assert.deepEqual([json.tokenScope, json.linkage, json.check.ok], ['request', 'asked', true])
  const { json: page } = await service.ask(
    '/v1/connections/studio/apps/6446998001/beta-feedback-screenshot-submissions?limit=1',
  )
  assert.equal(typeof page.items[0].buildId, 'string')
})
