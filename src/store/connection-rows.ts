// Hosted connections over SQL. What is removed or replaced shall leave the database's own files as well.
import { audited } from './audit-rows.ts'
import { writeUses } from './key-rows.ts'
import { createKnown } from './known.ts'
import { recentOver } from './recent.ts'
import type { ConnectionRecord, ConnectionRecords } from './records.ts'
import { type Database, marks, type Row, type Value } from './sql.ts'
import { taken } from './taken.ts'

export const connectionColumns: readonly string[] = (
  'id, epoch, version, key_id, issuer_id, fingerprint, linkage, token_scope, master_key, wrapped, sealed, ' +
  'created_at, replaced_at, last_used_at'
).split(', ')

const insert = `INSERT INTO connections (${connectionColumns.join()}) VALUES ${marks(connectionColumns.length)}
  ON CONFLICT DO NOTHING`
const update = `UPDATE connections SET ${connectionColumns.map((column) => `${column} = ?`).join()}
  WHERE id = ? AND epoch = ? AND version = ?`

const valuesOf = (r: ConnectionRecord): Value[] => [
  r.id,
  r.epoch,
  r.version,
  r.keyId,
  r.issuerId,
  r.fingerprint,
  r.linkage,
  r.tokenScope,
  r.masterKey,
  r.wrapped,
  r.sealed,
  r.createdAt,
  r.replacedAt,
  r.lastUsedAt,
]

const connectionOf = (row: Row): ConnectionRecord => ({
  id: row['id'] as string,
  epoch: row['epoch'] as string,
  version: row['version'] as number,
  keyId: row['key_id'] as string,
  issuerId: row['issuer_id'] as string | null,
  fingerprint: row['fingerprint'] as string,
  linkage: row['linkage'] as ConnectionRecord['linkage'],
  tokenScope: row['token_scope'] as ConnectionRecord['tokenScope'],
  masterKey: row['master_key'] as string,
  wrapped: row['wrapped'] as Uint8Array,
  sealed: row['sealed'] as Uint8Array,
  createdAt: row['created_at'] as number,
  replacedAt: row['replaced_at'] as number | null,
  lastUsedAt: row['last_used_at'] as number | null,
})

/** the acts that change a row, each of which forgets what was remembered of it, whether or not its end was heard */
function changesOf(
  db: Database,
  forget: (id: string) => void,
): Pick<ConnectionRecords, 'add' | 'replace' | 'remove' | 'rewrap'> {
  const settled = (ids: readonly string[]) => {
    ids.forEach(forget)
    db.scrub()
  }
  return {
    add: (record, deed) => audited(db, deed, async (sql) => (await sql.run(insert, valuesOf(record))) === 1),
    replace: (record, { epoch, version }, deed) =>
      taken(db, deed, async (sql) => {
        return (await sql.run(update, [...valuesOf(record), record.id, epoch, version])) === 1
      }).finally(() => settled([record.id])),
    remove: (id, { epoch, version }, deed) =>
      taken(db, deed, async (sql) => {
        const text = 'DELETE FROM connections WHERE id = ? AND epoch = ? AND version = ?'
        return (await sql.run(text, [id, epoch, version])) === 1
      }).finally(() => settled([id])),
    // the credential stays, and is as good as before: nothing is taken away
    rewrap: (changes) =>
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

async function someOf(db: Database, columns: string, ids: readonly string[]): Promise<Row[]> {
  const found: Row[] = []
  for (let from = 0; from < ids.length; from += askedAtOnce) {
    const some = ids.slice(from, from + askedAtOnce)
    found.push(...(await db.all(`SELECT ${columns} FROM connections WHERE id IN ${marks(some.length)}`, some)))
  }
  return found
}

export function createConnectionRows(db: Database): ConnectionRecords {
  const look = async (id: string) => {
    const row = await db.one('SELECT * FROM connections WHERE id = ?', [id])
    return row && connectionOf(row)
  }
  const recent = recentOver(db, look)

  return {
    ...changesOf(db, (id) => recent?.forget(id)),
    find: recent ? (id) => recent.find(id) : createKnown(look, () => db.changes()),
    latest: look,
    present: async (ids) => (await someOf(db, 'id', ids)).map((row) => row['id'] as string),
    async page({ after, limit, notUnder }) {
      const other = notUnder === undefined ? '' : 'AND master_key <> ?'
      const values = notUnder === undefined ? [after, limit] : [after, notUnder, limit]
      const rows = await db.all(`SELECT * FROM connections WHERE id > ? ${other} ORDER BY id LIMIT ?`, values)
      return rows.map(connectionOf)
    },
    async stamps(ids) {
      const rows = await someOf(db, 'id, epoch, version', ids)
      return new Map(
        rows.map((row) => [row['id'] as string, { epoch: row['epoch'] as string, version: row['version'] as number }]),
      )
    },
    ids: async () => (await db.all('SELECT id FROM connections ORDER BY id')).map((row) => row['id'] as string),
    async withFingerprint(fingerprint) {
      const rows = await db.all('SELECT id FROM connections WHERE fingerprint = ? ORDER BY id', [fingerprint])
      return rows.map((row) => row['id'] as string)
    },
    async wrappedBy() {
      const rows = await db.all('SELECT master_key, count(*) AS keys FROM connections GROUP BY master_key')
      return new Map(rows.map((row) => [row['master_key'] as string, row['keys'] as number]))
    },
    // in turn with the other writers: a rotation holds many rows at once
    used: (uses) => db.transaction((sql) => writeUses(sql, 'connections', uses)),
  }
}
