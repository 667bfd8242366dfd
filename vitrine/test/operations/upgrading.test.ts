// Replicas of two versions over one database, as described in the page on upgrading.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { migrations } from '../../src/store/migrations.ts'
import { account, makeScene, makeKey, listPath } from '../stored-connections/services.ts'
import { askPostgres, noPostgres } from '../../../base/test/postgres.ts'

const page = 'docs/operations/upgrading.md'

test(
  'a replica keeps running beside a newer version, but does not start on its schema and leaves it unchanged',
  {
    skip: noPostgres,
  },
  async (t) => {
    const { start, database } = await makeScene(t)
    const old = await start()
    assert.equal((await old.act('POST', '/connections', { id: 'studio', ...account })).status, 201)
    const { key, id } = await makeKey(old)
    // a later migration only adds
    await askPostgres(database, 'CREATE TABLE later (id TEXT PRIMARY KEY); ALTER TABLE keys ADD COLUMN later TEXT')
    await askPostgres(database, `UPDATE vitrine_schema SET version = ${migrations.length + 1}`)

    const first = await old.read(listPath('studio'), key)
    assert.equal(first.status, 200)
    assert.equal((await old.read(`${listPath('studio')}&cursor=${first.json.nextCursor}`, key)).status, 200)
    assert.equal((await old.act('POST', '/keys', { name: 'more', connections: ['*'] })).status, 201)
    assert.equal((await old.act('GET', '/status')).json.ready, true)

    await assert.rejects(start(), new RegExp(`it has schema ${migrations.length + 1}.*knows ${migrations.length}`))
    const [{ version } = {}] = await askPostgres(database, 'SELECT version FROM vitrine_schema')
    assert.equal(version, migrations.length + 1)
    assert.equal((await old.act('DELETE', `/keys/${id}`)).status, 200)
  },
)

test('every schema version has a row in the page', () => {
  const rows = [...readFileSync(page, 'utf8').matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))
  assert.deepEqual(
    rows,
    migrations.map((_, at) => at + 1),
  )
})
