import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import type { Service } from '../support/service.ts'
import { openPostgresBench, openSqliteBench } from './database-editor.ts'
import { createChance, sized } from './random.ts'
import { forge, type Grounds } from './forgeries.ts'
import { allServed, askAll, besiege, checkEvents, type Fate, fatesOf, type Siege, verifyAll } from './edited-store.ts'

/** what one round of edits did, each to rows of its own */
async function disturb({ bench }: Siege, grounds: Grounds): Promise<{ names: string[]; refused: number }> {
  const ids = grounds.chance.shuffle([...grounds.rows.keys()])
  const names: string[] = []
  let refused = 0
  while (ids.length > 1) {
    const [id = '', partner = ''] = [ids.pop(), ids.at(-1)]
    const { name, statements } = forge(id, partner, grounds)
    if (await bench.attempt(statements)) names.push(`${id}: ${name}`)
    else refused++
    if (statements.length > 2) ids.pop()
  }
  return { names, refused }
}

async function askCold(siege: Siege, fates: ReadonlyMap<string, Fate>) {
  const cold: Service = await siege.startCold()
  try {
    await askAll(siege, cold, fates)
    checkEvents(siege, cold)
  } finally {
    await cold.close()
  }
}

interface Plan {
  readonly edits: number
  /** how long a record may be believed */
  readonly believedMs: number
  readonly loose: boolean
}

async function endure(t: TestContext, siege: Siege, { edits, believedMs, loose }: Plan) {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
  const grounds = { ...siege, chance: createChance(seed), loose }
  if (loose) await siege.bench.loosen()
  const tally = { edits: 0, refused: 0, unreadable: 0, absent: 0, misnamed: 0 }
  await askAll(siege, siege.warm, allServed(siege))
  while (tally.edits < edits) {
    const { names, refused } = await disturb(siege, grounds)
    const fates = await fatesOf(siege)
    await pause(believedMs)
    const round = async () => {
      await askAll(siege, siege.warm, fates)
      await askCold(siege, fates)
      await verifyAll(siege, fates)
    }
    await round().catch((error: Error) => {
      throw new Error(`SEED=${seed}: ${error.message}\n${names.join('\n')}`, { cause: error })
    })
    await siege.bench.restore([...siege.rows.values()])
    await pause(believedMs)
    await askAll(siege, siege.warm, allServed(siege))
    for (const fate of fates.values()) if (fate !== 'served') tally[fate]++
    tally.edits += names.length
    tally.refused += refused
  }
  checkEvents(siege, siege.warm)
  assert.ok(tally.unreadable > tally.edits / 2, JSON.stringify(tally))
  t.diagnostic(JSON.stringify(tally))
}

test("F152 F153 F154: no edit of a row in SQLite changes an answer to anything but the row's own or none", async (t) => {
  const siege = await besiege(t, 'sqlite:v.db', (folder) => openSqliteBench(join(folder, 'v.db')))
  await endure(t, siege, { edits: sized(8_000, 350), believedMs: 0, loose: false })
  await endure(t, siege, { edits: sized(2_000, 150), believedMs: 0, loose: true })
})

test(
  "F152 F153 F154: no edit of a row in PostgreSQL changes an answer to anything but the row's own or none",
  { skip: noPostgres },
  async (t) => {
    const database = await freshDatabase()
    t.after(database.drop)
    const siege = await besiege(t, database.url, () => openPostgresBench(database.url))
    await endure(t, siege, { edits: sized(1_000, 20), believedMs: 510, loose: false })
    await endure(t, siege, { edits: sized(1_000, 20), believedMs: 510, loose: true })
  },
)

function runVerify({ folder, config, masterKeys }: Siege): Promise<{ code: number | null; out: string; err: string }> {
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify(config))
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_'))
  const env = { ...Object.fromEntries(kept), NODE_OPTIONS: '', VITRINE_MASTER_KEYS: masterKeys }
  const child = spawn(resolve('bin/vitrine'), ['vault', 'verify'], { cwd: folder, env, timeout: 20_000 })
  const told = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (told.out += part))
  child.stderr.on('data', (part: Buffer) => (told.err += part))
  return new Promise((ok) => child.once('close', (code) => ok({ code, ...told })))
}

test('the command that verifies the vault names the edited row and fails', async (t) => {
  const siege = await besiege(t, 'sqlite:v.db', (folder) => openSqliteBench(join(folder, 'v.db')))
  assert.deepEqual(JSON.parse((await runVerify(siege)).out).failed, [])
  await siege.bench.attempt([
    { text: `UPDATE connections SET key_id = key_id || 'X' WHERE id = 'hosted-7'`, values: [] },
  ])
  const { code, out, err } = await runVerify(siege)
  assert.deepEqual([code, JSON.parse(out).failed.map(({ id }: { id: string }) => id)], [1, ['hosted-7']])
  assert.match(err, /^hosted-7: its credential cannot be decrypted/m)
})

test('an edit of the last use alone changes no answer', async (t) => {
  const siege = await besiege(t, 'sqlite:v.db', (folder) => openSqliteBench(join(folder, 'v.db')))
  for (const value of [-1n, null, 2n ** 53n - 1n]) {
    await siege.bench.attempt([{ text: 'UPDATE connections SET last_used_at = ?', values: [value] }])
    await askAll(siege, siege.warm, allServed(siege))
    await askCold(siege, allServed(siege))
  }
})

test('a number outside the range of JavaScript makes its own row unreadable, and no other', async (t) => {
  const siege = await besiege(t, 'sqlite:v.db', (folder) => openSqliteBench(join(folder, 'v.db')))
  await askAll(siege, siege.warm, allServed(siege))
  await siege.bench.attempt([{ text: `UPDATE connections SET version = ? WHERE id = 'hosted-7'`, values: [2n ** 62n] }])
  await siege.bench.attempt([
    { text: `UPDATE connections SET created_at = ? WHERE id = 'hosted-9'`, values: [2n ** 53n] },
  ])
  const fates = await fatesOf(siege)
  assert.deepEqual([fates.get('hosted-7'), fates.get('hosted-9')], ['unreadable', 'unreadable'])
  await askAll(siege, siege.warm, fates)
  await askCold(siege, fates)
  await verifyAll(siege, fates)
})

test('restoring a whole old row restores its own old credential, and no other', async (t) => {
  const siege = await besiege(t, 'sqlite:v.db', (folder) => openSqliteBench(join(folder, 'v.db')))
  await askAll(siege, siege.warm, allServed(siege))
  await siege.bench.restore([...siege.earlier.values()])
  for (const id of siege.earlier.keys()) {
    const { status, json } = await siege.warm.ask(`/v1/connections/${id}/apps`)
    assert.deepEqual(
      [status, json.items[0].name],
      [200, `the app of KEYA${id.replace('hosted-', '').padStart(2, '0')}`],
    )
  }
})
