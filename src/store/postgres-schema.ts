// What is done to a PostgreSQL server before it serves: its version is looked at, and the schema is brought up to date
// by whoever comes first.
import type { Client } from 'pg'
import { migrations, refuseNewer } from './migrations.ts'
import { copying, type Opening, unfinishedWords } from './sql.ts'

/** of the advisory lock that every writer of a Vitrine store takes; any number that nobody else uses */
export const writersLock = 7_485_103_622

/** for a schema that others are bringing up to date */
export const openingMs = 15_000

const oldest = 15

/** said in the transaction itself: a pooler passes no bounds of a session on, and a process that stands still holds the lock */
export const begin = ({ statementMs, idleMs }: { statementMs: number; idleMs: number }): string =>
  `BEGIN; SET LOCAL statement_timeout = ${Math.ceil(statementMs)}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(idleMs)}`

async function refuseOld(client: Client) {
  const { rows } = await client.query<Record<string, string>>('SHOW server_version_num')
  const version = Number(rows[0]?.['server_version_num'])
  if (version < oldest * 10_000)
    throw new Error(`the server is PostgreSQL ${Math.floor(version / 10_000)}, and Vitrine needs ${oldest} or newer`)
}

async function versionOf(client: Client): Promise<number> {
  // not to_regclass: within a transaction it may answer from what it looked up before the lock was there
  const { rowCount } = await client.query(
    "SELECT 1 FROM pg_class WHERE relname = 'vitrine_schema' AND relkind = 'r' AND pg_table_is_visible(oid)",
  )
  if (rowCount === 0) return 0
  const found = await client.query<{ version: number }>('SELECT version FROM vitrine_schema')
  return found.rows[0]?.version ?? 0
}

async function migrate(client: Client) {
  // one transaction: a step that fails, or a process that is killed, leaves what was there
  await client.query(begin({ statementMs: openingMs, idleMs: openingMs }))
  await client.query('SELECT pg_advisory_xact_lock($1)', [writersLock])
  const version = await versionOf(client)
  refuseNewer(version)
  for (const step of migrations.slice(version)) await client.query(step.postgres)
  await client.query('CREATE TABLE IF NOT EXISTS vitrine_schema (version INTEGER NOT NULL)')
  await client.query('DELETE FROM vitrine_schema')
  await client.query('INSERT INTO vitrine_schema VALUES ($1)', [migrations.length])
  await client.query('COMMIT')
}

/** answers the schema that was found */
export async function prepareSchema(client: Client, { migrate: up = true, unfinished = false }: Opening) {
  await refuseOld(client)
  const found = await versionOf(client)
  if (!up) return found
  refuseNewer(found)
  // nothing is written where nothing is due: a role that may not make tables can still serve
  if (found < migrations.length) await migrate(client)
  if (!unfinished) {
    const { rowCount } = await client.query('SELECT 1 FROM secrets WHERE name = $1', [copying])
    if (rowCount !== 0) throw new Error(unfinishedWords)
  }
  return found
}
