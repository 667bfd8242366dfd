// Prepares a PostgreSQL server: checks its version, and migrates the schema. The first replica to start migrates.
import type { Client } from 'pg'
import { copyMark, type Opening, refuseNewer, type DatabaseSchema, unfinishedCopy } from './sql.ts'

export const openingMs = 15_000

const oldest = 15

/** Sets the limits in the transaction: a pooler drops those of a session, and a hung process would keep the lock. */
export const beginWith = ({ statementMs, idleMs }: { statementMs: number; idleMs: number }): string =>
  `BEGIN; SET LOCAL statement_timeout = ${Math.ceil(statementMs)}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(idleMs)}`

async function refuseOld(client: Client, title: string) {
  const { rows } = await client.query<Record<string, string>>('SHOW server_version_num')
  const version = Number(rows[0]?.['server_version_num'])
  if (version < oldest * 10_000)
    throw new Error(`the server is PostgreSQL ${Math.floor(version / 10_000)}, and ${title} needs ${oldest} or newer`)
}

export const versionTable = ({ name }: DatabaseSchema): string => `${name}_schema`

async function versionOf(client: Client, schema: DatabaseSchema): Promise<number> {
  // not to_regclass: within a transaction it may answer from before the lock
  const { rowCount } = await client.query(
    "SELECT 1 FROM pg_class WHERE relname = $1 AND relkind = 'r' AND pg_table_is_visible(oid)",
    [versionTable(schema)],
  )
  if (rowCount === 0) return 0
  const found = await client.query<{ version: number }>(`SELECT version FROM ${versionTable(schema)}`)
  return found.rows[0]?.version ?? 0
}

async function migrate(client: Client, schema: DatabaseSchema) {
  const table = versionTable(schema)
  // one transaction: a failed step or a killed process leaves the old schema
  await client.query(beginWith({ statementMs: openingMs, idleMs: openingMs }))
  await client.query('SELECT pg_advisory_xact_lock($1)', [schema.writersLock])
  const version = await versionOf(client, schema)
  refuseNewer(version, schema)
  for (const step of schema.migrations.slice(version)) await client.query(step.postgres)
  await client.query(`CREATE TABLE IF NOT EXISTS ${table} (version INTEGER NOT NULL)`)
  await client.query(`DELETE FROM ${table}`)
  await client.query(`INSERT INTO ${table} VALUES ($1)`, [schema.migrations.length])
  await client.query('COMMIT')
}

export async function prepareSchema(
  client: Client,
  schema: DatabaseSchema,
  { migrate: up = true, unfinished = false }: Opening,
) {
  await refuseOld(client, schema.title)
  const found = await versionOf(client, schema)
  if (!up) return found
  refuseNewer(found, schema)
  // writes nothing where nothing is due: a role without the right to create tables can serve
  if (found < schema.migrations.length) await migrate(client, schema)
  if (!unfinished) {
    const { rowCount } = await client.query('SELECT 1 FROM secrets WHERE name = $1', [copyMark])
    if (rowCount !== 0) throw new Error(unfinishedCopy(schema))
  }
  return found
}
