// A key reads the accounts that it was created for, and no later account of the same name.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { accounts, type Service, startOverSandbox } from '../support/service.ts'
import { account, type Manager, startManager } from '../operator/manager.ts'

const other = { ...account, keyId: 'OTHERKEY01', issuerId: '57246542-96fe-1a63-e053-0824d0110002' }
const apps = '/v1/connections/studio/apps?limit=1'
const elsewhere = '/v1/connections/nobody/apps?limit=1'

interface Made {
  readonly id: string
  readonly key: string
}

async function makeKey({ ask }: Pick<Manager, 'ask'>, connections: readonly string[], name = 'ci'): Promise<Made> {
  const { status, json } = await ask('POST', '/keys', { body: { name, connections } })
  assert.equal(status, 201)
  return json
}

const add = ({ ask }: Pick<Manager, 'ask'>, body: object = account) =>
  ask('POST', '/operator/v1/connections', { body: { id: 'studio', ...body } })
const remove = ({ ask }: Pick<Manager, 'ask'>) => ask('DELETE', '/operator/v1/connections/studio')

const withoutId = (text: string) => text.replaceAll(/req_[\w-]{16}/g, 'req_…')

/** asserts the same answer, byte for byte, as for an unknown connection */
async function readsNothing(service: Service, key: string) {
  const [dead, absent] = [await service.ask(apps, { key }), await service.ask(elsewhere, { key })]
  assert.deepEqual([dead.status, dead.json.error.code], [404, 'connection_not_found'])
  assert.equal(withoutId(dead.text), withoutId(absent.text))
  const plain = ({ headers }: typeof dead) => ({ ...headers, date: '', 'x-request-id': '' })
  assert.deepEqual(plain(dead), plain(absent))
}

const statusOf = async (service: Service, key: string) => (await service.ask(apps, { key })).status

test('a key of a removed connection cannot read another account added under the same name', async (t) => {
  const manager = await startManager(t)
  const { service, ask } = manager
  await add(manager)
  const [{ id, key }, all] = [await makeKey(manager, ['studio']), await makeKey(manager, ['*'], 'all')]
  assert.equal(await statusOf(service, key), 200)
  assert.deepEqual((await ask('GET', '/connections/studio')).json.keys, [{ id, name: 'ci' }])
  assert.deepEqual((await remove(manager)).json.endedKeys, [{ id, name: 'ci' }])
  await readsNothing(service, key)

  await add(manager, other)
  await readsNothing(service, key)
  assert.equal(await statusOf(service, all.key), 200, '* is bound to no account')
  const whoami = async (one: string) => (await service.ask('/v1/whoami', { key: one })).json
  const { connections, endedConnections } = await whoami(key)
  assert.deepEqual([connections, endedConnections], [[], ['studio']])
  assert.deepEqual((await whoami(all.key)).endedConnections, [])
  assert.deepEqual((await ask('GET', `/keys/${id}`)).json.endedConnections, ['studio'])
  const listed = (await ask('GET', '/keys')).json.items
  assert.deepEqual(listed.find((one: Made) => one.id === id).endedConnections, ['studio'])
  assert.deepEqual((await ask('GET', '/connections/studio')).json.keys, [], 'no key names this one')

  const heir = (await ask('POST', `/keys/${id}/reroll`, { body: { overlap: '0' } })).json
  assert.deepEqual(heir.endedConnections, ['studio'])
  await readsNothing(service, heir.key)
  assert.equal(await statusOf(service, (await makeKey(manager, ['studio'])).key), 200)
})

test('an account that is removed and added again is a new connection', async (t) => {
  const manager = await startManager(t)
  await add(manager)
  const { key } = await makeKey(manager, ['studio'])
  await remove(manager)
  await add(manager)
  await readsNothing(manager.service, key)
})

test('a key of a removed connection gets the same 404 if a new connection of that name cannot be decrypted', async (t) => {
  const manager = await startManager(t)
  await add(manager)
  const { key } = await makeKey(manager, ['studio'])
  await remove(manager)
  await add(manager, other)
  const db = new DatabaseSync(join(manager.service.folder, 'v.db'))
  db.exec("UPDATE connections SET sealed = x'00' WHERE id = 'studio'")
  db.close()
  await readsNothing(manager.service, key)
  assert.equal((await manager.ask('GET', '/connections/studio')).json.lastUsedAt, null)
})

test('replacing the signing key keeps the facade keys for the same issuer and ends them for another', async (t) => {
  const manager = await startManager(t)
  const { service, ask } = manager
  await add(manager)
  const { id, key } = await makeKey(manager, ['studio'])
  const replace = (body: object) => ask('POST', '/connections/studio/credentials', { body: { ...body, check: false } })
  assert.deepEqual((await replace(account)).json.endedKeys, [])
  assert.equal(await statusOf(service, key), 200)
  assert.deepEqual((await replace(other)).json.endedKeys, [{ id, name: 'ci' }])
  await readsNothing(service, key)
  assert.deepEqual((await replace(account)).json.endedKeys, [])
  await readsNothing(service, key)
})

async function startWithSettings(t: TestContext) {
  const { service, close } = await startOverSandbox({})
  t.after(close)
  const { settings } = service
  const solo = settings.connections['solo']
  const acme = settings.connections['acme']
  assert.ok(solo && acme)
  const pointTo = (connection: object | undefined) =>
    service.running.reload(() => ({ ...settings, connections: connection ? { studio: connection as any } : {} }))
  return { service, pointTo, acme, solo }
}

test('a facade key of a managed connection is bound to the issuer of a team key or to the individual key', async (t) => {
  const { service, pointTo, acme, solo } = await startWithSettings(t)
  await pointTo(acme)
  const key = await service.issue({ connections: ['studio'] })
  assert.equal(await statusOf(service, key), 200)
  // another signing key of the same team: the platform refuses it, so the key still reads this connection
  await pointTo({ ...acme, keyId: 'NEWKEY0001' })
  assert.equal((await service.ask(apps, { key })).json.error.code, 'upstream_key_rejected')
  await pointTo({ ...acme, ...accounts.other })
  await readsNothing(service, key)
  await pointTo(undefined)
  await readsNothing(service, key)
  await pointTo(acme)
  assert.equal(await statusOf(service, key), 200, 'the same account is back')

  await pointTo(solo)
  await readsNothing(service, key)
  const individual = await service.issue({ connections: ['studio'] })
  assert.equal(await statusOf(service, individual), 200)
  await pointTo({ ...solo, keyId: 'SOLOKEY002' })
  await readsNothing(service, individual)
})

test('a connection that moves from the settings into the store is a new connection', async (t) => {
  const manager = await startManager(t)
  const { service } = manager
  const { settings } = service
  const studio = settings.connections['acme']
  assert.ok(studio)
  await service.running.reload(() => ({ ...settings, connections: { studio } }))
  const { key } = await makeKey(manager, ['studio'])
  assert.equal(await statusOf(service, key), 200)
  await service.running.reload(() => ({ ...settings, connections: {} }))
  await add(manager)
  await readsNothing(service, key)
})

/** the store as left by a version that did not record accounts */
function forgetAccounts(folder: string) {
  const db = new DatabaseSync(join(folder, 'v.db'))
  db.exec('UPDATE keys SET accounts = NULL')
  db.close()
}

test('keys of an older version are bound to the present accounts at the start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-grants-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const secrets = { masterKeys: `m1:${randomBytes(32).toString('base64')}` }
  const before = await startManager(t, { folder, secrets })
  await add(before)
  const keyOf = async (...names: string[]) => (await makeKey(before, names)).key
  const [hosted, both, all] = [await keyOf('studio'), await keyOf('studio', 'acme'), await keyOf('*')]
  await before.ask('POST', '/operator/v1/connections', { body: { ...account, id: 'gone' } })
  const gone = await keyOf('gone')
  await before.ask('DELETE', '/operator/v1/connections/gone')
  await before.service.close()
  forgetAccounts(folder)

  const after = await startManager(t, { folder, secrets })
  const { service } = after
  for (const key of [hosted, both, all]) assert.equal(await statusOf(service, key), 200)
  await remove(after)
  await add(after, other)
  await readsNothing(service, hosted)
  await readsNothing(service, both)
  assert.equal((await service.ask('/apps?limit=1', { key: both })).status, 200)
  assert.equal(await statusOf(service, all), 200)
  await after.ask('POST', '/operator/v1/connections', { body: { ...other, id: 'gone' } })
  assert.equal((await service.ask('/v1/connections/gone/apps', { key: gone })).status, 404, 'it was gone before')
})
