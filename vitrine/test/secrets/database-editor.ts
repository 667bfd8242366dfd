// The table of connections under direct SQL, in either database: what an attacker can do with the store and no master key.
import { backup, DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

export type Cell = string | number | bigint | null | Uint8Array
export type Row = Readonly<Record<string, Cell>>

export interface Statement {
  /** with `?` for each value */
  readonly text: string
  readonly values: readonly Cell[]
}

export interface Bench {
  rows(): Promise<Row[]>
  /** all or none; false where the database itself refuses */
  attempt(statements: readonly Statement[]): Promise<boolean>
  /** the table as it was when these rows were read */
  restore(rows: readonly Row[]): Promise<void>
  /** takes away what the schema says of values */
  loosen(): Promise<void>
  /** all of the database in another file; SQLite only, where one service at a time may be over a file */
  copyTo?(path: string): Promise<void>
  close(): Promise<void>
}

const insertOf = (row: Row): Statement => ({
  text: `INSERT INTO connections (${Object.keys(row).join()}) VALUES (${Object.keys(row)
    .map(() => '?')
    .join()})`,
  values: Object.values(row),
})

const refilled = (rows: readonly Row[]): Statement[] => [
  { text: 'DELETE FROM connections', values: [] },
  ...rows.map(insertOf),
]

export function openSqliteBench(path: string): Bench {
  const db = new DatabaseSync(path, { timeout: 5_000 })
  // a writer of the file is not bound by the checks of the schema, only by its types
  db.exec('PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON')
  const run = ({ text, values }: Statement) => db.prepare(text).run(...(values as string[]))
  const inOne = (statements: readonly Statement[]) => {
    db.exec('BEGIN IMMEDIATE')
    try {
      statements.forEach(run)
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
  return {
    copyTo: async (path) => void (await backup(db, path)),
    async rows() {
      const all = db.prepare('SELECT * FROM connections')
      all.setReadBigInts(true)
      return all.all()
    },
    async attempt(statements) {
      try {
        inOne(statements)
        return true
      } catch (error) {
        if (!/constraint|cannot store|datatype/i.test((error as Error).message)) throw error
        return false
      }
    },
    restore: async (rows) => inOne(refilled(rows)),
    async loosen() {
      const [row] = await this.rows()
      const columns = Object.keys(row ?? {})
      const made = columns.map((column) => (column === 'id' ? 'id PRIMARY KEY' : column)).join()
      db.exec(`BEGIN; ALTER TABLE connections RENAME TO strict_ones; CREATE TABLE connections (${made});
        INSERT INTO connections SELECT * FROM strict_ones; DROP TABLE strict_ones; COMMIT`)
    },
    close: async () => db.close(),
  }
}

/** numbers as they are counted in the other database, too */
const readCell = (value: unknown): Cell => (typeof value === 'number' ? BigInt(value) : (value as Cell))

export async function openPostgresBench(url: string): Promise<Bench> {
  const client = new Client({ connectionString: url, types: { getTypeParser: parserOf } })
  client.on('error', () => undefined)
  await client.connect()
  const run = ({ text, values }: Statement) => {
    let n = 0
    return client.query(
      text.replace(/\?/g, () => `$${++n}`),
      values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
    )
  }
  const inOne = async (statements: readonly Statement[]) => {
    await client.query('BEGIN')
    try {
      for (const statement of statements) await run(statement)
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  }
  const rows = async (): Promise<Row[]> => {
    const found = await client.query<Record<string, unknown>>('SELECT * FROM connections')
    return found.rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, readCell(value)])),
    )
  }
  return {
    rows,
    async attempt(statements) {
      try {
        await inOne(statements)
        return true
      } catch (error) {
        // 22, 08: a value that the type does not take; 23: a constraint
        if (!/^(2[23]|08P01)/.test((error as { code?: string }).code ?? '')) throw error
        return false
      }
    },
    restore: (rows) => inOne(refilled(rows)),
    async loosen() {
      const checks = await client.query<{ conname: string }>(
        `SELECT conname FROM pg_constraint WHERE conrelid = 'connections'::regclass AND contype = 'c'`,
      )
      for (const { conname } of checks.rows) await client.query(`ALTER TABLE connections DROP CONSTRAINT "${conname}"`)
      const [row] = await rows()
      for (const column of Object.keys(row ?? {}).filter((name) => name !== 'id'))
        await client.query(`ALTER TABLE connections ALTER COLUMN ${column} DROP NOT NULL`)
    },
    close: () => client.end(),
  }
}

const [int8, bytea] = [20, 17]

function parserOf(oid: number): (text: string) => unknown {
  if (oid === int8) return BigInt
  if (oid === bytea) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
  return (text) => text
}
