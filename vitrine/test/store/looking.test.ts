// Commands that only look change nothing in a store of any version: they run before an upgrade, which may be put off.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { postgresDatabase } from '../../../base/store/postgres.ts'
import { schema } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/open.ts'
import { scratch } from './records.ts'

const known = schema.migrations.length
const lists = [['keys', 'list'], ['connections', 'list'], ['audit'], ['vault', 'status']] as const
const looks = [...lists, ['keys', 'show', 'abcdefghjkmn'], ['connections', 'show', 'x'], ['doctor'], ['store', 'check']]

function place(t: TestContext, store = 'sqlite:v.db') {
  const folder = scratch()
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify({ store }))
  return {
    folder,
    file: join(folder, 'v.db'),
    async run(args: readonly string[]) {
      const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))
      const child = spawn(resolve('bin/vitrine'), args, { cwd: folder, env: { ...clean, NODE_OPTIONS: '' } })
      child.stdin.end()
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
      const [code] = (await once(child, 'close')) as [number]
      return { code, said }
    },
  }
}

const bytesOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('v.db'))
    .map((name) => [name, readFileSync(join(folder, name), 'base64')])

test('commands that only look leave an older store as it is, and say that the next start migrates it', async (t) => {
  const { folder, file, run } = place(t)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL')
  for (const { sqlite } of schema.migrations.slice(0, -1)) db.exec(sqlite)
  db.exec(`PRAGMA user_version = ${known - 1}`)
  db.close()
  const before = bytesOf(folder)
  for (const words of looks) {
    const { code, said } = await run(words)
    assert.notEqual(code, 0, said)
    assert.match(said, new RegExp(`has schema ${known - 1}\\b`))
    assert.deepEqual(bytesOf(folder), before, words.join(' '))
  }
  assert.match((await run(['keys', 'list'])).said, /older than the \d+ of this version of Vitrine\. The next start of the service migrates it/) // prettier-ignore
})

test('commands that only look make no store, and change no byte of one that is current', async (t) => {
  const { folder, file, run } = place(t)
  for (const words of looks) {
    await run(words)
    assert.deepEqual(bytesOf(folder), [], words.join(' '))
  }
  const store = await openStore(`sqlite:${file}`)
  await store.close()
  const before = bytesOf(folder)
  for (const words of looks) {
    const { code, said } = await run(words)
    if ((lists as readonly (readonly string[])[]).includes(words)) assert.equal(code, 0, said)
    assert.deepEqual(bytesOf(folder), before, words.join(' '))
  }
  writeFileSync(file, readFileSync(file).fill(0x5a, 0, 4_096))
  for (const words of lists) assert.match((await run(words)).said, /is damaged, or no store/)
})

test(
  'commands that only look leave the schema of an older PostgreSQL store as it is',
  { skip: noPostgres },
  async (t) => {
    const { url, drop } = await freshDatabase()
    t.after(() => drop())
    const { run } = place(t, url)
    for (const words of lists) assert.match((await run(words)).said, /it is empty, and the first start/)
    assert.deepEqual(await askPostgres(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"), [])
    await (await postgresDatabase(url, { ...schema, migrations: schema.migrations.slice(0, -1) })).close()
    for (const words of looks) {
      assert.match((await run(words)).said, new RegExp(`has schema ${known - 1}\\b`))
      assert.deepEqual(await askPostgres(url, 'SELECT version FROM vitrine_schema'), [{ version: known - 1 }])
    }
  },
)
