// Moves a whole installation from one store to another, either driver to either. It can be killed at any moment and run
// again; at the end both sides are the same row by row, or it says what to do. Until then the target serves nobody.
import { Problem } from '../problem.ts'
import { copyAnchor, readAnchor } from './audit-anchor.ts'
import { verify } from './chain.ts'
import { openDatabase } from './open.ts'
import { secretOf } from './over.ts'
import { copying, type Database, marks, Refusal, type Row, type Sql, type Value } from './sql.ts'
import { digestOf, idColumn, idOf, pageOf, pageSize, pagesOf, type Table, tables } from './tables.ts'

/** a page of rows, or the walk over all of them at the end */
const patienceMs = 600_000

export interface CopyOptions {
  /** told after each page: so many rows of all were looked at */
  readonly onProgress?: (progress: { done: number; of: number }) => void
}

export interface Copied {
  /** how many rows each table has, on both sides */
  readonly rows: Readonly<Record<string, number>>
  /** the chain of the audit, as it was in the source; a break came along */
  readonly audit: { readonly lines: number; readonly brokenAt: number | undefined }
}

/** both locations as `openStore` takes them */
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
    for await (const page of table.name === 'audit' ? linesAfter(source, target, table) : pagesOf(source, table)) {
      await target.transaction((sql) => (table.name === 'audit' ? insert(sql, table, page) : renew(sql, table, page)))
      options.onProgress?.({ done: (done += page.length), of })
    }
    if (table.name !== 'audit') await target.transaction((sql) => removeStrangers(source, sql, table))
  }
  // nobody writes to the source while the two are compared, nor sees the target in between
  return source.transaction((theirs) => target.transaction((ours) => settle(theirs, ours)))
}

async function countAll(sql: Sql): Promise<number> {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name})`)
  return Number((await sql.one(`SELECT ${counts.join(' + ')} AS rows`))?.['rows'])
}

/** the mark says whose copy this is: it is made with the first look, so that nothing else is ever copied over */
async function claim(sql: Sql, whose: Uint8Array, place: string) {
  const mark = (await sql.one('SELECT value FROM secrets WHERE name = ?', [copying]))?.['value']
  if (mark instanceof Uint8Array) {
    if (Buffer.compare(mark, whose) === 0) return
    throw new Refusal(`${place} holds an unfinished copy of another installation: drop it, or copy to another place.`)
  }
  for (const { name } of tables)
    if (await sql.one(`SELECT 1 AS one FROM ${name} LIMIT 1`))
      throw new Refusal(`${place} holds an installation already: drop it, or copy to another place.`)
  await sql.run('INSERT INTO secrets (name, value) VALUES (?, ?)', [copying, whose])
}

const insertsAtOnce = 50

async function insert(sql: Sql, { name, columns }: Table, rows: readonly Row[]) {
  for (let from = 0; from < rows.length; from += insertsAtOnce) {
    const some = rows.slice(from, from + insertsAtOnce)
    const values = some.flatMap((row) => columns.map((column) => row[column] ?? null))
    await sql.run(
      `INSERT INTO ${name} (${columns.join()}) VALUES ${some.map(() => marks(columns.length)).join()}`,
      values,
    )
  }
}

const sameRows = (table: Table, some: readonly Row[], others: readonly Row[]): boolean =>
  some.length === others.length && some.every((row, at) => digestOf(table, row) === digestOf(table, others[at] ?? {}))

/** the stretch that a page covers, as it is in the source; what an earlier run has brought stays where it is the same */
async function renew(sql: Sql, table: Table, rows: readonly Row[]) {
  const id = idColumn(table)
  const [first, last] = [rows[0], rows.at(-1)].map((row) => (row ? idOf(table, row) : table.start)) as [Value, Value]
  const text = `SELECT ${table.columns.join()} FROM ${table.name} WHERE ${id} >= ? AND ${id} <= ? ORDER BY ${id}`
  if (sameRows(table, rows, await sql.all(text, [first, last]))) return
  await sql.run(`DELETE FROM ${table.name} WHERE ${id} >= ? AND ${id} <= ? AND ${id} <> '${copying}'`, [first, last])
  await insert(sql, table, rows)
}

/** what an earlier run has brought and the source has no longer */
async function removeStrangers(source: Sql, sql: Sql, table: Table) {
  for await (const page of pagesOf(sql, table))
    for (const row of page) {
      const [id, value] = [idColumn(table), idOf(table, row)]
      if (!(await source.one(`SELECT 1 AS one FROM ${table.name} WHERE ${id} = ?`, [value])))
        await sql.run(`DELETE FROM ${table.name} WHERE ${id} = ?`, [value])
    }
}

/** the audit is only ever added to: it goes on after the last line that is there, or was pruned */
async function* linesAfter(source: Sql, target: Sql, table: Table): AsyncGenerator<Row[]> {
  const head = await target.one('SELECT seq FROM audit ORDER BY seq DESC LIMIT 1')
  let after: Value = Math.max(Number(head?.['seq'] ?? table.start), await prunedIn(target))
  for (;;) {
    const rows = await pageOf(source, table, after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = idOf(table, last)
  }
}

/** what was written to the source while it was copied; from here on nothing is */
async function catchUp(source: Sql, target: Sql, table: Table) {
  if (table.name === 'audit') {
    for await (const page of linesAfter(source, target, table)) await insert(target, table, page)
    return
  }
  for await (const page of pagesOf(source, table)) await renew(target, table, page)
  await removeStrangers(source, target, table)
}

/** the last line that is gone */
const prunedIn = async (sql: Sql): Promise<number> => (await readAnchor(sql))?.through ?? 0

async function settle(source: Sql, target: Sql): Promise<Copied> {
  // lines of the source may have been pruned while they were copied
  await copyAnchor(source, target)
  for (const table of tables) await catchUp(source, target, table)
  const counted: Record<string, number> = {}
  for (const table of tables) counted[table.name] = await compare(source, target, table)
  const anchor = await readAnchor(target)
  const audit = await verify(target, anchor && { seq: anchor.through, hash: anchor.hash })
  await target.run('DELETE FROM secrets WHERE name = ?', [copying])
  return { rows: counted, audit }
}

async function compare(source: Sql, target: Sql, table: Table): Promise<number> {
  let [rows, after] = [0, table.name === 'audit' ? await prunedIn(target) : table.start]
  for (;;) {
    const [theirs, ours] = [await pageOf(source, table, after), await pageOf(target, table, after)]
    if (!sameRows(table, theirs, ours))
      throw new Refusal(
        `The two stores differ in ${table.name}: stop whatever writes to the old one (services, commands), and run the copy again. If they still differ, drop the new one first.`,
      )
    rows += theirs.length
    const last = theirs.at(-1)
    if (last === undefined || theirs.length < pageSize) return rows
    after = idOf(table, last)
  }
}
