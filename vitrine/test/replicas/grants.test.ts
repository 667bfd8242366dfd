// What one replica removes, the keys of every replica lose: they never read another account under the same name.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { account, makeScene, second, listPath } from '../stored-connections/services.ts'
import { askPostgres, noPostgres } from '../../../base/test/postgres.ts'

/** a found row is believed for half a second */
const knownMs = 1_000
const replacement = { id: 'studio', keyId: 'SECOND', issuerId: 'issuer', privateKey: second.pem }

test(
  'a key loses a removed connection on every replica, and does not read a new one of the same name',
  { skip: noPostgres },
  async (t) => {
    const { start } = await makeScene(t)
    const [one, two] = [await start(), await start()]
    assert.equal((await one.act('POST', '/connections', { id: 'studio', ...account })).status, 201)
    const { key } = (await one.act('POST', '/keys', { name: 'ci', connections: ['studio'] })).json
    assert.equal((await two.read(listPath('studio'), key)).status, 200)
    assert.equal((await one.act('DELETE', '/connections/studio')).status, 200)
    assert.equal((await one.act('POST', '/connections', replacement)).status, 201)
    assert.equal((await one.read(listPath('studio'), key)).status, 404)
    await sleep(knownMs)
    for (const server of [one, two]) assert.equal((await server.read(listPath('studio'), key)).status, 404)
    const fresh = (await two.act('POST', '/keys', { name: 'ci', connections: ['studio'] })).json
    for (const server of [one, two]) assert.equal((await server.read(listPath('studio'), fresh.key)).status, 200)
  },
)

test('keys that an older replica made are bound when the next replica starts', { skip: noPostgres }, async (t) => {
  const { start, database } = await makeScene(t)
  const one = await start()
  assert.equal((await one.act('POST', '/connections', { id: 'studio', ...account })).status, 201)
  const { key } = (await one.act('POST', '/keys', { name: 'ci', connections: ['studio'] })).json
  await askPostgres(database, 'UPDATE keys SET accounts = NULL')
  const two = await start()
  assert.equal((await two.read(listPath('studio'), key)).status, 200)
  assert.equal((await two.act('DELETE', '/connections/studio')).status, 200)
  assert.equal((await two.act('POST', '/connections', replacement)).status, 201)
  await sleep(knownMs)
  for (const server of [one, two]) assert.equal((await server.read(listPath('studio'), key)).status, 404)
})
