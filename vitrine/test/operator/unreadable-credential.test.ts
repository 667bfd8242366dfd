import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { account, startManager } from './manager.ts'

test('the overview shows a connection whose credential cannot be decrypted, from its first use until it can be', async (t) => {
  const { ask, service } = await startManager(t)
  assert.equal((await ask('POST', '/connections', { body: { id: 'studio', ...account } })).status, 201)
  const cardOf = async () => {
    const { items } = (await ask('GET', '/overview')).json
    const { status, hour } = items.find(({ id }: { id: string }) => id === 'studio')
    return [status === null ? 'closed' : 'open', hour.unreadable]
  }
  const read = async () => (await service.ask('/v1/connections/studio/apps')).status
  assert.deepEqual([await read(), await cardOf()], [200, ['open', 0]])

  const database = new DatabaseSync(`${service.folder}/v.db`)
  const set = (sealed: unknown) =>
    database.prepare('UPDATE connections SET sealed = ? WHERE id = ?').run(sealed as Uint8Array, 'studio')
  const { sealed } = database.prepare('SELECT sealed FROM connections WHERE id = ?').get('studio') ?? {}
  set(new Uint8Array(64))
  assert.equal(await read(), 503)
  assert.equal(await read(), 503)
  assert.deepEqual(await cardOf(), ['closed', 2])

  set(sealed)
  assert.deepEqual([await read(), await cardOf()], [200, ['open', 2]])
  database.close()
})
