// The commands of the backup guide, as they stand there, run one after the other on an installation with connections and keys.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'

const guide = readFileSync('docs/guides/backup.md', 'utf8')

/** the indented lines of each section, by its heading */
const sections = new Map(
  guide.split(/^## /m).map((section) => {
    const [title = '', ...lines] = section.split('\n')
    return [title, lines.filter((line) => line.startsWith('    ')).map((line) => line.trim())] as const
  }),
)

const linesOf = (title: string): readonly string[] => {
  const lines = sections.get(title) ?? []
  assert.ok(lines.length > 0, title)
  return lines
}

interface Place {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

function makePlace(postgres: string): Place {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-backup-'))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'backup'))
  symlinkSync(resolve('bin/vitrine'), join(folder, 'bin/vitrine'))
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify({ masterKeysFile: 'master-keys.txt' }))
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))
  return { folder, env: { ...clean, NODE_OPTIONS: '', POSTGRES: postgres } }
}

const run = ({ folder, env }: Place, line: string): Promise<string> =>
  new Promise((ok, no) => {
    execFile('/bin/sh', ['-euc', line], { cwd: folder, env }, (error, out, err) =>
      error ? no(new Error(`${line}\n${out}${err}`)) : ok(out),
    )
  })

const has = (tool: string): boolean => {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function furnish(place: Place) {
  await run(place, 'bin/vitrine vault new-key --id k1 > master-keys.txt')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(join(place.folder, 'key.p8'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  for (const [id, keyId] of [
    ['one', 'ONE4567890'],
    ['two', 'TWO4567890'],
  ])
    await run(place, `bin/vitrine connections add ${id} --key-id ${keyId} --key-file key.p8 --no-check`)
  await run(place, "bin/vitrine keys create --name k --connections '*'")
}

const state = async (place: Place, store = ''): Promise<unknown> => {
  const given = store === '' ? '' : `VITRINE_STORE='${store}' `
  const [connections, keys] = await Promise.all(
    ['connections', 'keys'].map((what) => run(place, `${given}bin/vitrine ${what} list`)),
  )
  return [JSON.parse(connections ?? ''), JSON.parse(keys ?? '')]
}

/** a revocation that is in the journal only: its service was killed */
async function loseLatest({ folder, env }: Place) {
  const settings = { listen: '127.0.0.1:0', operatorListen: 'off', masterKeysFile: 'master-keys.txt' }
  writeFileSync(join(folder, 'killed.json'), JSON.stringify(settings))
  const service = spawn(join(folder, 'bin/vitrine'), ['serve', '--config', 'killed.json'], { cwd: folder, env })
  while (!String(await once(service.stderr, 'data')).includes('"started"'));
  const [{ id }] = JSON.parse(await run({ folder, env }, 'bin/vitrine keys list'))
  await run({ folder, env }, `bin/vitrine keys revoke ${id}`)
  service.kill('SIGKILL')
  await once(service, 'exit')
}

test('every command of the backup guide does what it says', { skip: noPostgres }, async (t) => {
  const database = await freshDatabase()
  const place = makePlace(database.url)
  t.after(async () => {
    await database.drop()
    rmSync(place.folder, { recursive: true })
  })
  await furnish(place)
  const before = await state(place)
  for (const line of linesOf('Back up')) await run(place, line)
  assert.deepEqual(await state(place, 'sqlite:backup/vitrine.db'), before)

  // what is done after the backup is gone after the restore, and the old store tells of it
  await run(place, 'bin/vitrine connections remove two')
  await loseLatest(place)
  const told: string[] = []
  for (const line of linesOf('Restore')) told.push(await run(place, line))
  assert.deepEqual(await state(place), before)
  assert.match(told.join('\n'), /"opened": 2,\s*"failed": \[\]/)
  assert.match(told.at(-2) ?? '', /"act": "keys\.revoke"/)
  assert.match(told.at(-1) ?? '', /"act": "connections\.remove",\s*"target": "two"/)
  await assert.rejects(() =>
    run({ ...place, env: { ...place.env, VITRINE_MASTER_KEYS_FILE: 'none' } }, 'bin/vitrine vault verify'),
  )

  for (const line of linesOf('Move to PostgreSQL, and back')) {
    const tool = /^\S+/.exec(line)?.[0] ?? ''
    if (tool.startsWith('pg_') && !has(tool)) {
      t.diagnostic(`${tool} is not on this machine: its line was not run`)
      continue
    }
    await run(place, line)
  }
  assert.deepEqual(await state(place, database.url), before)
  assert.deepEqual(await state(place, 'sqlite:back/vitrine.db'), before)
})
