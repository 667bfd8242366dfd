// What the page on upgrading says of replicas of two versions over one database: the newer one has brought the schema up.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { migrations } from '../../src/store/migrations.ts'
import { account, makeEstate, makeKey, walk } from '../custody/houses.ts'
import { askPostgres, noPostgres } from '../ground/postgres.ts'

const page = 'docs/operations/upgrading.md'

test(
  'a replica goes on beside a newer version, does not start over its schema, and changes nothing by trying',
  {
    skip: noPostgres,
  },
  async (t) => {
    const { start, database } = await makeEstate(t)
    const old = await start()
    assert.equal((await old.act('POST', '/connections', { id: 'studio', ...account })).status, 201)
    const { key, id } = await makeKey(old)
    // a later step, as they are: it only adds
    await askPostgres(database, 'CREATE TABLE later (id TEXT PRIMARY KEY); ALTER TABLE keys ADD COLUMN later TEXT')
    await askPostgres(database, `UPDATE vitrine_schema SET version = ${migrations.length + 1}`)

    const first = await old.read(walk('studio'), key)
    assert.equal(first.status, 200)
    assert.equal((await old.read(`${walk('studio')}&cursor=${first.json.nextCursor}`, key)).status, 200)
    assert.equal((await old.act('POST', '/keys', { name: 'more', connections: ['*'] })).status, 201)
    assert.equal((await old.act('GET', '/status')).json.ready, true)

    await assert.rejects(start(), new RegExp(`it has schema ${migrations.length + 1}.*knows ${migrations.length}`))
    const [{ version } = {}] = await askPostgres(database, 'SELECT version FROM vitrine_schema')
    assert.equal(version, migrations.length + 1)
    assert.equal((await old.act('DELETE', `/keys/${id}`)).status, 200)
  },
)

test('every schema that there is has a row in the page', () => {
  const rows = [...readFileSync(page, 'utf8').matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))
  assert.deepEqual(
    rows,
    migrations.map((_, at) => at + 1),
  )
})
