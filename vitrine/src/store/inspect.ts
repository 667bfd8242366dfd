// Checks a store without changing it, and migrates one: `vitrine store check` and `store migrate`.
import { verifyAudit } from '../../../base/store/audit-rows.ts'
import { readDetails } from '../../../base/store/audit-chain.ts'
import { readAccounts, readNames } from './key-rows.ts'
import { migrations, schema } from './migrations.ts'
import { openDatabase } from './open.ts'
import type { Seals } from '../../../base/core/audit.ts'
import { copyMark, type Database, type SqlRow, unfinishedCopy, messageOf } from '../../../base/store/sql.ts'
import { rowPages, type StoreTable, tables } from './tables.ts'

export interface Finding {
  readonly what: 'opens' | 'schema' | 'file' | 'copy' | 'rows' | 'audit'
  readonly ok: boolean
  readonly detail: string
}

/** what is wrong with a row; undefined: nothing */
type Flaw = (row: SqlRow) => string | undefined

const flawOf: Readonly<Partial<Record<StoreTable['name'], Flaw>>> = {
  keys: (row) => {
    const isForApps = row['apps'] === null || readNames(row['apps'])
    if (!isForApps || !readNames(row['connections']) || !readNames(row['groups']) || !readAccounts(row['accounts']))
      return 'its grants cannot be read: it opens nothing'
    return (row['digest'] as Uint8Array).length === 32 ? undefined : 'its digest is not one'
  },
  connections: (row) => (/^[0-9a-f]{64}$/.test(String(row['fingerprint'])) ? undefined : 'its fingerprint is not one'),
  audit: (row) => (readDetails(row['details']) ? undefined : 'its details cannot be read'),
}

async function checkFile(db: Database): Promise<Finding[]> {
  if (db.driver !== 'sqlite') return []
  const words = (await db.all('PRAGMA integrity_check(5)')).map((row) =>
    String(row['integrity_check']).replaceAll('\n', '; '),
  )
  const ok = words.join() === 'ok'
  return [{ what: 'file', ok, detail: ok ? 'the file is whole' : words.join('; ') }]
}

async function checkRows(db: Database): Promise<Finding[]> {
  const counts: string[] = []
  const flaws: Finding[] = []
  for (const table of tables) {
    let rows = 0
    for await (const page of rowPages(db, table)) {
      rows += page.length
      for (const row of page) {
        const flaw = flawOf[table.name]?.(row)
        if (flaw !== undefined)
          flaws.push({
            what: 'rows',
            ok: false,
            detail: `${table.name} ${String(row[table.columns[0] ?? ''])}: ${flaw}`,
          })
      }
    }
    counts.push(`${rows} in ${table.name}`)
  }
  return flaws.length > 0 ? flaws : [{ what: 'rows', ok: true, detail: `every row can be read: ${counts.join(', ')}` }]
}

async function checkAudit(db: Database, seals: Seals | undefined): Promise<Finding[]> {
  const { lines, brokenAt, anchor } = await verifyAudit(db, seals)
  const found = (ok: boolean, detail: string): Finding => ({ what: 'audit', ok, detail })
  const faults = anchor?.fault === undefined ? [] : [found(false, anchor.fault)]
  if (brokenAt !== undefined) {
    const detail = `line ${brokenAt} does not follow from the one before: it, or one before it, was changed or removed`
    return [found(false, detail), ...faults]
  }
  const begins = anchor ? `, from line ${anchor.through + 1} on; those before were pruned` : ''
  return faults.length > 0 ? faults : [found(true, `the chain of ${lines} lines is whole${begins}`)]
}

async function checkCopy(db: Database): Promise<Finding[]> {
  const mark = await db.one('SELECT 1 AS one FROM secrets WHERE name = ?', [copyMark])
  return mark ? [{ what: 'copy', ok: false, detail: unfinishedCopy(schema) }] : []
}

function checkSchema({ schemaFound: found }: Database): Finding {
  const known = migrations.length
  if (found === known) return { what: 'schema', ok: true, detail: `it has schema ${found}` }
  const cure = found > known ? 'use a newer version of Vitrine' : 'run `vitrine store migrate`, or start the service'
  return {
    what: 'schema',
    ok: false,
    detail: `it has schema ${found}, and this version of Vitrine knows ${known}: ${cure}`,
  }
}

/** runs each check; one that fails is a finding, and the others go on */
export async function inspectStore(location: string, seals?: Seals): Promise<Finding[]> {
  let db: Database
  try {
    db = await openDatabase(location, { migrate: false, patienceMs: 600_000 })
  } catch (error) {
    return [{ what: 'opens', ok: false, detail: messageOf(error) }]
  }
  const orFlaw = async (what: Finding['what'], look: (db: Database) => Promise<Finding[]>): Promise<Finding[]> => {
    try {
      return await look(db)
    } catch (error) {
      return [{ what, ok: false, detail: messageOf((error as Error).cause ?? error) }]
    }
  }
  try {
    const schema = checkSchema(db)
    const findings = [
      { what: 'opens', ok: true, detail: db.place } as const,
      schema,
      ...(await orFlaw('file', checkFile)),
    ]
    if (!schema.ok) return findings
    findings.push(...(await orFlaw('copy', checkCopy)), ...(await orFlaw('rows', checkRows)))
    return [...findings, ...(await orFlaw('audit', (one) => checkAudit(one, seals)))]
  } finally {
    await db.close()
  }
}

export async function migrateStore(location: string): Promise<{ from: number; to: number }> {
  const db = await openDatabase(location, { unfinished: true })
  await db.close()
  return { from: db.schemaFound, to: migrations.length }
}
