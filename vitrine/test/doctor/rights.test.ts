import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { examine, findCheck, prepare } from './scene.ts'

test(
  'a PostgreSQL user who may not create tables fails before the first start and before a schema upgrade',
  { skip: noPostgres },
  async (t) => {
    const database = await freshDatabase()
    t.after(() => database.drop())
    const role = `maker_${randomBytes(6).toString('hex')}`
    const server = new URL('/postgres', database.url).href
    await askPostgres(server, `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`)
    t.after(() => askPostgres(server, `DROP ROLE ${role}`))
    const { config } = await prepare(t, 'no-connections')
    const store = Object.assign(new URL(database.url), { username: role, password: role })
    writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), store: store.href }))
    const cause = 'the user of the store may not create tables there'
    assert.equal(findCheck(await examine(config), 'store').cause, cause)
    await (await openStore(database.url)).close()
    await askPostgres(database.url, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`)
    assert.equal(findCheck(await examine(config), 'store').state, 'ok')
    await askPostgres(database.url, 'UPDATE vitrine_schema SET version = 3')
    assert.equal(findCheck(await examine(config), 'store').cause, cause)
  },
)
