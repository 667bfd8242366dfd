// Secrets of an installation, made at the first use and kept in its store.
import { randomBytes } from 'node:crypto'
import type { Database, Sql } from './sql.ts'

export const recallSecret = async (sql: Sql, name: string): Promise<Uint8Array | undefined> =>
  (await sql.one('SELECT value FROM secrets WHERE name = ?', [name]))?.['value'] as Uint8Array | undefined

/** the same secret for all who ask: the first one stored wins */
export async function secretOf(db: Database, name: string, first: Uint8Array = randomBytes(32)): Promise<Uint8Array> {
  const known = await recallSecret(db, name)
  if (known) return known
  return db.transaction(async (sql) => {
    await sql.run('INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', [name, first])
    return (await recallSecret(sql, name)) as Uint8Array
  })
}
