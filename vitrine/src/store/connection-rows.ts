// Hosted connections over SQL. Removed and replaced credentials shall leave the database's files as well.
import { audited } from '../../../base/store/audit-rows.ts'
import { writeUses } from './key-rows.ts'
import { createRecordCache } from '../../../base/store/record-cache.ts'
import type { AuditEntry } from '../../../base/core/audit.ts'
import type { ConnectionRecord, IdRange, Rewrap, Uses } from './records.ts'
import { rowsOf, type Database, placeholders, type SqlRow } from '../../../base/store/sql.ts'
import { revokingWrite } from './revoking-write.ts'

export const connectionColumns: readonly string[] = (
  'id, epoch, version, key_id, issuer_id, fingerprint, linkage, token_scope, master_key, wrapped, sealed, ' +
  'created_at, replaced_at, last_used_at'
).split(', ')

const { valuesOf, recordOf } = rowsOf<ConnectionRecord>(connectionColumns)
const insert = `INSERT INTO connections (${connectionColumns.join()}) VALUES ${placeholders(connectionColumns.length)}
  ON CONFLICT DO NOTHING`
const update = `UPDATE connections SET ${connectionColumns.map((column) => `${column} = ?`).join()}
  WHERE id = ? AND epoch = ? AND version = ?`

type Stamp = Pick<ConnectionRecord, 'epoch' | 'version'>

/** changes, each of which drops the cached record, whether or not its end was confirmed */
function changesOf(db: Database, forget: (id: string) => void) {
  const settled = (ids: readonly string[]) => {
    ids.forEach(forget)
    db.scrub()
  }
  return {
    add: (record: ConnectionRecord, entry: AuditEntry) =>
      audited(db, entry, async (sql) => (await sql.run(insert, valuesOf(record))) === 1),
    /** false: the row has another epoch or version by now */
    replace: (record: ConnectionRecord, { epoch, version }: Stamp, entry: AuditEntry) =>
      revokingWrite(db, entry, async (sql) => {
        return (await sql.run(update, [...valuesOf(record), record.id, epoch, version])) === 1
      }).finally(() => settled([record.id])),
    remove: (id: string, { epoch, version }: Stamp, entry: AuditEntry) =>
      revokingWrite(db, entry, async (sql) => {
        const text = 'DELETE FROM connections WHERE id = ? AND epoch = ? AND version = ?'
        return (await sql.run(text, [id, epoch, version])) === 1
      }).finally(() => settled([id])),
    // not a revocation: the credential stays the same
    rewrap: (changes: readonly Rewrap[]) =>
      db
        .transaction(async (sql) => {
          let changed = 0
          for (const { id, from, masterKey, wrapped } of changes)
            changed += await sql.run(
              'UPDATE connections SET master_key = ?, wrapped = ? WHERE id = ? AND wrapped = ?',
              [masterKey, wrapped, id, from],
            )
          return changed
        })
        .finally(() => settled(changes.map(({ id }) => id))),
  }
}

const askedAtOnce = 500

async function someOf(db: Database, columns: string, ids: readonly string[]): Promise<SqlRow[]> {
  const found: SqlRow[] = []
  for (let from = 0; from < ids.length; from += askedAtOnce) {
    const some = ids.slice(from, from + askedAtOnce)
    found.push(...(await db.all(`SELECT ${columns} FROM connections WHERE id IN ${placeholders(some.length)}`, some)))
  }
  return found
}

export type ConnectionRecords = ReturnType<typeof createConnectionRows>

export function createConnectionRows(db: Database) {
  const look = async (id: string) => {
    const row = await db.one('SELECT * FROM connections WHERE id = ?', [id])
    return row && recordOf(row)
  }
  const cache = createRecordCache(db, look)

  return {
    ...changesOf(db, cache.forget),
    /** may miss a change elsewhere for half a second; a missing record is read anew */
    find: (id: string) => cache.find(id),
    /** never cached: for management */
    latest: look,
    present: async (ids: readonly string[]) => (await someOf(db, 'id', ids)).map((row) => row['id'] as string),
    /** `notUnder`: only those whose data key another master key encrypts */
    async page({ after, limit, notUnder }: IdRange & { notUnder?: string }) {
      const other = notUnder === undefined ? '' : 'AND master_key <> ?'
      const values = notUnder === undefined ? [after, limit] : [after, notUnder, limit]
      const rows = await db.all(`SELECT * FROM connections WHERE id > ? ${other} ORDER BY id LIMIT ?`, values)
      return rows.map(recordOf)
    },
    /** epoch and version by id: whether an opened credential is still current */
    async stamps(ids: readonly string[]): Promise<ReadonlyMap<string, Stamp>> {
      const rows = await someOf(db, 'id, epoch, version', ids)
      return new Map(rows.map(recordOf).map(({ id, epoch, version }) => [id, { epoch, version }]))
    },
    ids: async () => (await db.all('SELECT id FROM connections ORDER BY id')).map((row) => row['id'] as string),
    async withFingerprint(fingerprint: string) {
      const rows = await db.all('SELECT id FROM connections WHERE fingerprint = ? ORDER BY id', [fingerprint])
      return rows.map((row) => row['id'] as string)
    },
    async wrappedBy() {
      const rows = await db.all('SELECT master_key, count(*) AS keys FROM connections GROUP BY master_key')
      return new Map(rows.map((row) => [row['master_key'] as string, row['keys'] as number]))
    },
    // in turn with the other writers: a rotation locks many rows at once
    used: (uses: Uses) => db.transaction((sql) => writeUses(sql, 'connections', uses)),
  }
}
