// The whole store over one database, whichever it is.
import { randomBytes } from 'node:crypto'
import { createAuditRows } from './audit-rows.ts'
import { createConnectionRows } from './connection-rows.ts'
import { createKeyRows } from './key-rows.ts'
import { standbyProblem } from './postgres-server.ts'
import type { Store } from './records.ts'
import { createReplicaRows } from './replica-rows.ts'
import type { Database, Sql } from './sql.ts'

const recall = async (sql: Sql, name: string): Promise<Uint8Array | undefined> =>
  (await sql.one('SELECT value FROM secrets WHERE name = ?', [name]))?.['value'] as Uint8Array | undefined

/** the same for all who ask: whoever comes first decides */
export async function secretOf(db: Database, name: string, first: Uint8Array = randomBytes(32)): Promise<Uint8Array> {
  const known = await recall(db, name)
  if (known) return known
  return db.transaction(async (sql) => {
    await sql.run('INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', [name, first])
    return (await recall(sql, name)) as Uint8Array
  })
}

/** how long a look may take before it counts that what was found lately can be read on */
const lookMs = 500

async function readable(db: Database): Promise<boolean> {
  const { vigil } = db.attended
  const looking = db.check().then(() => true)
  if (!vigil) return looking
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(late.resolve, lookMs, 'late')
  const heard = await Promise.race([looking.catch(() => 'late'), late.promise]).finally(() => clearTimeout(timer))
  // a server answers there, and others may be asked that reach the right one
  if (db.isStandby?.()) throw standbyProblem()
  return heard === 'late' && (await vigil.readsGoOn()) ? false : looking
}

export const storeOver = (db: Database): Store => ({
  place: db.place,
  isShared: db.driver === 'postgres',
  keys: createKeyRows(db),
  connections: createConnectionRows(db),
  audit: createAuditRows(db),
  replicas: createReplicaRows(db),
  secret: (name, first) => secretOf(db, name, first),
  recall: (name) => recall(db, name),
  compact: () => db.compact(),
  check: () => db.check(),
  ...(db.knock && { knock: () => db.knock?.() ?? Promise.resolve() }),
  ...(db.now && { now: db.now }),
  ...(db.isStandby && { isStandby: db.isStandby }),
  ...(db.claim && { claim: (options) => db.claim?.(options) ?? Promise.resolve() }),
  attend: (parts) => void Object.assign(db.attended, parts),
  readable: () => readable(db),
  close: () => db.close(),
})
