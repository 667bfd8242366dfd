import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { inspectStore, migrateStore } from '../../src/store/inspect.ts'
import { migrations } from '../../src/store/migrations.ts'
import { openDatabase } from '../../src/store/open.ts'
import { connectionRecord, deed, drivers, keyRecord, scratch, within } from './records.ts'

const faults = async (location: string): Promise<string[]> =>
  (await inspectStore(location)).filter(({ ok }) => !ok).map(({ what, detail }) => `${what}: ${detail}`)

for (const driver of drivers)
  test(`${driver.name}: a sound store passes every check, and each fault is named`, { skip: driver.skip }, () =>
    within(driver, async (open, location) => {
      const store = await open()
      for (const id of ['k1', 'k2']) await store.keys.add(keyRecord(id), deed('keys.create'))
      await store.connections.add(connectionRecord('c1'), deed('connections.create'))
      const findings = await inspectStore(location)
      assert.ok(findings.every(({ ok }) => ok))
      assert.deepEqual(
        findings.map(({ what }) => what),
        ['opens', 'schema', ...(driver.name === 'sqlite' ? ['file'] : []), 'rows', 'audit'],
      )
      const db = await openDatabase(location)
      await db.run("UPDATE keys SET groups = 'x' WHERE id = 'k2'")
      await db.run(
        driver.name === 'sqlite'
          ? 'DROP TRIGGER audit_no_update'
          : 'ALTER TABLE audit DISABLE TRIGGER audit_only_grows',
      )
      await db.run("UPDATE audit SET who = 'x' WHERE seq = 2")
      await db.close()
      assert.deepEqual(await faults(location), [
        'rows: keys k2: its grants cannot be read: it opens nothing',
        'audit: line 2 does not follow from the one before: it, or one before it, was changed or removed',
      ])
    }),
  )

test('a read-only opening creates no file, and migrates nothing', async () => {
  const folder = scratch()
  const path = join(folder, 'v.db')
  assert.match((await faults(`sqlite:${path}`)).join(), /^opens: .* there is no such file$/)
  assert.ok(!existsSync(path))
  const db = new DatabaseSync(path)
  db.exec(`${migrations[0]?.sqlite ?? ''} PRAGMA user_version = 1`)
  db.close()
  const before = readFileSync(path)
  assert.match((await faults(`sqlite:${path}`)).join(), /^schema: it has schema 1, .*: run `vitrine store migrate`/)
  assert.deepEqual(readFileSync(path), before)
  assert.deepEqual(await migrateStore(`sqlite:${path}`), { from: 1, to: 10 })
  assert.deepEqual(await migrateStore(`sqlite:${path}`), { from: 10, to: 10 })
  assert.deepEqual(await faults(`sqlite:${path}`), [])
  const bytes = readFileSync(path)
  // a page of a table; without the pages of the schema it would not open
  writeFileSync(path, bytes.fill(0x5a, 4_096, 8_192))
  assert.match((await faults(`sqlite:${path}`)).join(), /file: .*(malformed|never used|Tree|page)/)
  rmSync(folder, { recursive: true })
})
