// Commands that only look change nothing in a store of any version: they run before an upgrade, which may be put off.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { postgresDatabase } from '../../../base/store/postgres.ts'
import { schema } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/store.ts'

const known = schema.migrations.length
const looks = [['doctor'], ['accounts', 'list'], ['keys', 'list'], ['backup', '--to', 'copy']] as const

function place(t: TestContext, store = 'sqlite:a.db') {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-looking-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const settings = { listen: '127.0.0.1:1', store, ssh: null, engine: { socket: 'none.sock' } }
  writeFileSync(join(folder, 'atelier.json'), JSON.stringify(settings))
  return {
    folder,
    file: join(folder, 'a.db'),
    async run(args: readonly string[]) {
      const words = args.map((one) => (one === 'copy' ? join(folder, 'copy') : one))
      const child = spawn('bin/atelier', [...words, '--config', join(folder, 'atelier.json')])
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
      const [code] = (await once(child, 'close')) as [number]
      return { code, said }
    },
  }
}

/** a file as an earlier version left it: with its journal, as after `kill -9` */
function makeOlder(file: string, version: number) {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL')
  for (const { sqlite } of schema.migrations.slice(0, version)) db.exec(sqlite)
  db.exec(`PRAGMA user_version = ${version}`)
  db.close()
}

const bytesOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('a.db'))
    .map((name) => [name, readFileSync(join(folder, name), 'base64')])

test('commands that only look leave an older store as it is, and say that the next start migrates it', async (t) => {
  const { folder, file, run } = place(t)
  makeOlder(file, known - 1)
  const before = bytesOf(folder)
  for (const words of looks) {
    const { said } = await run(words)
    if (words[0] !== 'backup')
      assert.match(said, new RegExp(`has schema ${known - 1}, which is older than the ${known}[^]*next start of the service migrates it`)) // prettier-ignore
    assert.deepEqual(bytesOf(folder), before, words.join(' '))
  }
  const copy = new DatabaseSync(join(folder, 'copy', 'atelier.db'), { readOnly: true })
  assert.equal(copy.prepare('PRAGMA user_version').get()?.['user_version'], known - 1)
  copy.close()
})

test('commands that only look make no store, and leave a journal as it is', async (t) => {
  const { folder, file, run } = place(t)
  for (const words of looks) {
    const { code, said } = await run(words)
    assert.deepEqual([code, bytesOf(folder)], [1, []], said)
  }
  const store = await openStore(`sqlite:${file}`)
  await store.accounts.add({ id: 'acc_x', email: 'a@x.org', password: undefined, createdAt: 1 })
  rmSync(join(folder, 'copy'), { recursive: true, force: true })
  const before = bytesOf(folder)
  assert.equal(before.length, 3, 'with its journal')
  for (const words of looks) {
    const { code } = await run(words)
    assert.equal(code, words[0] === 'doctor' ? 1 : 0)
    assert.deepEqual(bytesOf(folder).filter(([name]) => name !== 'a.db-shm'), before.filter(([name]) => name !== 'a.db-shm')) // prettier-ignore
  }
  await store.close()
})

const spoilt: readonly [title: string, spoil: (file: string) => void, words: RegExp][] = [
  ['of a newer version', (file) => makeNewer(file), new RegExp(`has schema ${known + 1}, and this version (of Atelier )?knows ${known}: `)], // prettier-ignore
  ['that is damaged', (file) => writeFileSync(file, readFileSync(file).fill(0x5a, 0, 4096)), /is damaged, or no store/],
]

function makeNewer(file: string) {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA user_version = ${known + 1}`)
  db.close()
}

for (const [title, spoil, words] of spoilt)
  test(`a store ${title} has its own sentence, and is left as it is`, async (t) => {
    const { folder, file, run } = place(t)
    await (await openStore(`sqlite:${file}`)).close()
    spoil(file)
    const before = bytesOf(folder)
    for (const look of looks.slice(0, 3)) {
      const { code, said } = await run(look)
      assert.equal(code, 1)
      assert.match(said, words, look.join(' '))
      assert.doesNotMatch(said, /^ {4}at /m)
      assert.deepEqual(bytesOf(folder), before)
    }
  })

test('a page of the store that is damaged is found by the doctor', async (t) => {
  const { file, run } = place(t)
  await (await openStore(`sqlite:${file}`)).close()
  writeFileSync(file, readFileSync(file).fill(0x5a, 4_096, 8_192))
  assert.match((await run(['doctor'])).said, /The store .* is damaged: /)
})

test(
  'commands that only look leave the schema of an older PostgreSQL store as it is',
  { skip: noPostgres },
  async (t) => {
    const { url, drop } = await freshDatabase()
    t.after(() => drop())
    const older = { ...schema, migrations: schema.migrations.slice(0, -1) }
    const { run } = place(t, url)
    for (const words of looks.slice(0, 3)) await run(words)
    assert.deepEqual(await askPostgres(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"), [])
    await (await postgresDatabase(url, older)).close()
    for (const words of looks.slice(0, 3)) {
      const { code, said } = await run(words)
      assert.equal(code, 1)
      assert.match(said, new RegExp(`has schema ${known - 1}, which is older than`))
      assert.deepEqual(await askPostgres(url, 'SELECT version FROM atelier_schema'), [{ version: known - 1 }])
    }
  },
)
