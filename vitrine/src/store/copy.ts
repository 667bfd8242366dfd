// Copies a whole installation from one store to another. It can be killed at any moment and run again; at its end both are
// equal row by row. Until then no service starts over the target.
import { Problem } from '../problems.ts'
import { copyAnchor, readAnchor } from '../../../base/store/audit-anchor.ts'
import { verifyChain } from '../../../base/store/audit-chain.ts'
import { openDatabase } from './open.ts'
import { secretOf } from '../../../base/store/secrets.ts'
import { copyMark, type Database, placeholders, StoreRefusal, type SqlRow, type Sql } from '../../../base/store/sql.ts'
import { rowDigest, idColumn, rowId, rowsAfter, rowsPerPage, rowPages, type StoreTable, tables } from './tables.ts'

/** for a page of rows, or the comparison of all rows at the end */
const patienceMs = 600_000

export interface CopyOptions {
  readonly onProgress?: (progress: { done: number; of: number }) => void
}

export interface Copied {
  readonly rows: Readonly<Record<string, number>>
  /** the state of the source's chain; a broken chain is copied as it is */
  readonly audit: { readonly lines: number; readonly brokenAt: number | undefined }
}

export async function copyStore(from: string, to: string, options: CopyOptions = {}): Promise<Copied> {
  const source = await openDatabase(from, { patienceMs })
  try {
    const target = await openDatabase(to, { patienceMs, unfinished: true })
    try {
      return await copyDatabase(source, target, options)
    } finally {
      await target.close()
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Error(`The copy stopped: ${String(error.cause)}. Run it again; it goes on where it was.`, {
      cause: error,
    })
  } finally {
    await source.close()
  }
}

export async function copyDatabase(source: Database, target: Database, options: CopyOptions = {}): Promise<Copied> {
  const whose = await secretOf(source, 'store.installation')
  await target.transaction((sql) => claim(sql, whose, target.place))
  const of = await countAll(source)
  let done = 0
  await target.transaction((sql) => copyAnchor(source, sql))
  for (const table of tables) {
    for await (const page of table.name === 'audit' ? linesAfter(source, target, table) : rowPages(source, table)) {
      await target.transaction((sql) => (table.name === 'audit' ? insert(sql, table, page) : renew(sql, table, page)))
      options.onProgress?.({ done: (done += page.length), of })
    }
    if (table.name !== 'audit') await target.transaction((sql) => removeStrangers(source, sql, table))
  }
  // transactions on both sides: nothing is written to the source meanwhile, or seen in the target
  return source.transaction((theirs) => target.transaction((ours) => settle(theirs, ours)))
}

async function countAll(sql: Sql): Promise<number> {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name})`)
  return Number((await sql.one(`SELECT ${counts.join(' + ')} AS rows`))?.['rows'])
}

/** marks the target with the id of the source first, so that nothing else is ever copied over it */
async function claim(sql: Sql, whose: Uint8Array, place: string) {
  const mark = (await sql.one('SELECT value FROM secrets WHERE name = ?', [copyMark]))?.['value']
  if (mark instanceof Uint8Array) {
    if (Buffer.compare(mark, whose) === 0) return
    throw new StoreRefusal(
      `${place} holds an unfinished copy of another installation: drop it, or copy to another place.`,
    )
  }
  for (const { name } of tables)
    if (await sql.one(`SELECT 1 AS one FROM ${name} LIMIT 1`))
      throw new StoreRefusal(`${place} holds an installation already: drop it, or copy to another place.`)
  await sql.run('INSERT INTO secrets (name, value) VALUES (?, ?)', [copyMark, whose])
}

const insertsAtOnce = 50

async function insert(sql: Sql, { name, columns }: StoreTable, rows: readonly SqlRow[]) {
  for (let from = 0; from < rows.length; from += insertsAtOnce) {
    const some = rows.slice(from, from + insertsAtOnce)
    const values = some.flatMap((row) => columns.map((column) => row[column] ?? null))
    await sql.run(
      `INSERT INTO ${name} (${columns.join()}) VALUES ${some.map(() => placeholders(columns.length)).join()}`,
      values,
    )
  }
}

const sameRows = (table: StoreTable, some: readonly SqlRow[], others: readonly SqlRow[]): boolean =>
  some.length === others.length && some.every((row, at) => rowDigest(table, row) === rowDigest(table, others[at] ?? {}))

/** makes the rows of a page's range equal; those that an earlier run copied stay */
async function renew(sql: Sql, table: StoreTable, rows: readonly SqlRow[]) {
  const id = idColumn(table)
  const [first = table.start, last = first] = [rows.slice(0, 1), rows.slice(-1)].flat().map((row) => rowId(table, row))
  const text = `SELECT ${table.columns.join()} FROM ${table.name} WHERE ${id} >= ? AND ${id} <= ? ORDER BY ${id}`
  if (sameRows(table, rows, await sql.all(text, [first, last]))) return
  const others = table.name === 'secrets' ? `AND ${id} <> '${copyMark}'` : ''
  await sql.run(`DELETE FROM ${table.name} WHERE ${id} >= ? AND ${id} <= ? ${others}`, [first, last])
  await insert(sql, table, rows)
}

/** removes rows that an earlier run copied and the source no longer has */
async function removeStrangers(source: Sql, sql: Sql, table: StoreTable) {
  for await (const page of rowPages(sql, table))
    for (const row of page) {
      const [id, value] = [idColumn(table), rowId(table, row)]
      if (!(await source.one(`SELECT 1 AS one FROM ${table.name} WHERE ${id} = ?`, [value])))
        await sql.run(`DELETE FROM ${table.name} WHERE ${id} = ?`, [value])
    }
}

/** the log only grows: goes on after its last line, copied or pruned */
async function* linesAfter(source: Sql, target: Sql, table: StoreTable): AsyncGenerator<SqlRow[]> {
  const head = await target.one('SELECT seq FROM audit ORDER BY seq DESC LIMIT 1')
  yield* rowPages(source, table, Math.max(Number(head?.['seq'] ?? table.start), await prunedIn(target)))
}

async function catchUp(source: Sql, target: Sql, table: StoreTable) {
  if (table.name === 'audit') {
    for await (const page of linesAfter(source, target, table)) await insert(target, table, page)
    return
  }
  for await (const page of rowPages(source, table)) await renew(target, table, page)
  await removeStrangers(source, target, table)
}

const prunedIn = async (sql: Sql): Promise<number> => (await readAnchor(sql))?.through ?? 0

async function settle(source: Sql, target: Sql): Promise<Copied> {
  await copyAnchor(source, target)
  for (const table of tables) await catchUp(source, target, table)
  const counted: Record<string, number> = {}
  for (const table of tables) counted[table.name] = await compare(source, target, table)
  const anchor = await readAnchor(target)
  const audit = await verifyChain(target, anchor && { seq: anchor.through, hash: anchor.hash })
  await target.run('DELETE FROM secrets WHERE name = ?', [copyMark])
  return { rows: counted, audit }
}

async function compare(source: Sql, target: Sql, table: StoreTable): Promise<number> {
  let [rows, after] = [0, table.name === 'audit' ? await prunedIn(target) : table.start]
  for (;;) {
    const [theirs, ours] = [await rowsAfter(source, table, after), await rowsAfter(target, table, after)]
    if (!sameRows(table, theirs, ours))
      throw new StoreRefusal(
        `The two stores differ in ${table.name}: stop whatever writes to the old one (services, commands), and run the copy again. If they still differ, drop the new one first.`,
      )
    rows += theirs.length
    const last = theirs.at(-1)
    if (last === undefined || theirs.length < rowsPerPage) return rows
    after = rowId(table, last)
  }
}
