// One disaster over one kind of store, from an installation that lives to the proof that it lives again: the commands are
// those of docs/operations/disaster-recovery.md, as they stand there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { type FreshDatabase, freshDatabase } from '../../../base/test/postgres.ts'
import { type FacadeKey, furnish, type Held, makeAccounts, operate } from './installation.ts'
import { createTally, type Late, lookAt, read, searchBackup, tryMasterKeys, type Watcher } from './look.ts'
import { scriptsOf } from './page.ts'
import { makePlace, type Place } from './place.ts'

export type Kind = 'SQLite' | 'PostgreSQL'

export interface Sizes {
  readonly connections: number
  readonly keys: number
}

export interface Rehearsed {
  readonly kind: Kind
  readonly backupMs: number
  /** from the first command of the restore to the first answer to a caller */
  readonly restoreMs: number
  readonly checked: number
  readonly misses: readonly string[]
}

/** the page's commands, in a place */
async function typed({ run }: Place, title: string, kind: Kind): Promise<{ ms: number; out: string }> {
  const name = `${title} a ${kind} store`
  const script = scriptsOf('docs/operations/disaster-recovery.md').get(name)
  if (script === undefined) throw new Error(`the page has no commands under "${name}"`)
  const begun = performance.now()
  const { code, out, err } = await run(script)
  if (code !== 0) throw new Error(`${name}: ${err}\n${out}`)
  return { ms: performance.now() - begun, out }
}

/** what a backup cannot know: its hour is what may be lost */
async function liveOn(held: Held): Promise<Late> {
  const [first, last] = [held.keys[0], held.keys.at(-1)]
  if (!first || !last) throw new Error('a drill needs keys')
  const { json } = await operate(held, 'POST', '/keys', { name: 'late', connections: [first.connection] })
  await operate(held, 'DELETE', `/keys/${last.id}`)
  return { made: { ...json, connection: first.connection }, revoked: last }
}

interface Stage {
  readonly kind: Kind
  readonly folders: { readonly BACKUP: string; readonly SAFE: string }
  readonly places: Place[]
  readonly databases: FreshDatabase[]
}

/** a folder and, for PostgreSQL, a new empty database */
async function settle({ kind, folders, places, databases }: Stage): Promise<{ place: Place; store: string }> {
  const database = kind === 'PostgreSQL' ? await freshDatabase() : undefined
  if (database) databases.push(database)
  const place = makePlace({ ...folders, ...(database && { POSTGRES: database.url }) })
  places.push(place)
  return { place, store: database?.url ?? 'sqlite:data/vitrine.db' }
}

/** answers what the commands said, and how long it took from the first of them to the first answer to a caller */
async function restore(stage: Stage, held: Held): Promise<{ place: Place; out: string; ms: number }> {
  const { place } = await settle(stage)
  const begun = performance.now()
  const { out } = await typed(place, 'Restore', stage.kind)
  await place.start(`${held.operatorUrl}/readyz`)
  await read(held, held.keys[0] as FacadeKey)
  return { place, out, ms: performance.now() - begun }
}

async function rehearse(stage: Stage, { connections, keys }: Sizes, { step, ...watcher }: Watcher): Promise<Rehearsed> {
  const { kind } = stage
  const tally = createTally()
  const accounts = makeAccounts(connections)
  const platform = await startSandbox({
    accounts: accounts.map(({ keyId, issuerId, pair }) => ({ keyId, issuerId, publicKey: pair.publicKey })),
  })
  try {
    step(`${kind}: an installation of ${connections} connections and ${keys} keys`)
    const old = await settle(stage)
    const held = await furnish({ ...old, platform: platform.url, accounts, keys, ...watcher })
    step(`${kind}: backed up while it serves`)
    const backup = await typed(old.place, 'Back up', kind)
    searchBackup(stage.folders.BACKUP, held, tally)
    const late = await liveOn(held)
    step(`${kind}: killed, its folder and its database removed`)
    await old.place.destroy()
    await stage.databases.pop()?.drop()
    step(`${kind}: restored in a new place`)
    const restored = await restore(stage, held)
    step(`${kind}: looked over`)
    await lookAt(held, late, tally, watcher)
    await tryMasterKeys(restored.place, connections - 1, restored.out, tally)
    return { kind, backupMs: backup.ms, restoreMs: restored.ms, checked: tally.checked, misses: tally.misses }
  } finally {
    await platform.close()
  }
}

/** leaves nothing behind, whatever came of it */
export async function drill(kind: Kind, sizes: Sizes, watcher: Watcher): Promise<Rehearsed> {
  const shelf = mkdtempSync(join(tmpdir(), 'vitrine-shelf-'))
  const folders = { BACKUP: mkdtempSync(join(shelf, 'backup-')), SAFE: mkdtempSync(join(shelf, 'safe-')) }
  const stage: Stage = { kind, folders, places: [], databases: [] }
  try {
    return await rehearse(stage, sizes, watcher)
  } finally {
    for (const place of stage.places) await place.destroy()
    for (const database of stage.databases) await database.drop()
    rmSync(shelf, { recursive: true, force: true })
  }
}
