// The PostgreSQL password and its file change while the store is open.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { inspect } from 'node:util'
import { openCore } from '../../src/core/core.ts'
import { readSettings } from '../../src/settings.ts'
import { noOwnPostgres, ownPostgres } from '../cluster/own-postgres.ts'
import { askPostgres } from '../../../base/test/postgres.ts'
import { until } from '../../../base/test/until.ts'

const endAll = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '

test('a password that changed in its file is taken at the next connect', { skip: noOwnPostgres }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-password-'))
  t.after(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  const [rules, file] = [join(folder, 'rules'), join(folder, 'password')]
  writeFileSync(rules, 'host all caller 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n')
  const server = await ownPostgres([`hba_file=${rules}`])
  t.after(() => server.close())
  const rotate = async (password: string) => {
    await askPostgres(server.url, `ALTER ROLE caller PASSWORD '${password}'`)
    await askPostgres(server.url, `${endAll}'caller'`)
  }
  await askPostgres(server.url, 'CREATE ROLE caller LOGIN SUPERUSER')
  await rotate('first-secret')
  writeFileSync(file, 'first-secret\n')
  const settings = readSettings(
    { store: `postgres://caller:first-secret@127.0.0.1:${server.port}/postgres`, storePasswordFile: 'password' },
    {},
  )
  const office = await openCore(settings, { folder, secrets: {}, observe: () => {}, now: Date.now })
  t.after(() => office.close())
  const isUp = () =>
    office.store.check().then(
      () => true,
      () => false,
    )
  assert.equal(await isUp(), true)
  await rotate('second-secret')
  await until(async () => !(await isUp()))
  const error = await office.store.check().catch((reason: unknown) => reason)
  assert.equal((error as { code?: string }).code, 'store_unavailable')
  assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /secret/)
  writeFileSync(file, 'second-secret\n')
  assert.equal(await isUp(), true)
  await Promise.all(Array.from({ length: 20 }, () => office.store.check()))
})
