// Who serves over this database, as rows: when each was last heard, by the database's own clock. Whoever has been silent too
// long does not count, and whose row is stale is removed.
import type { ReplicaRecords } from './records.ts'
import type { Database } from './sql.ts'

/** silent for so long, a replica counts as gone */
export const goneMs = 10_000
/** and its row is removed: a clock that leaps a little makes nobody vanish for good */
const staleMs = 60_000

const nowOf: Readonly<Record<Database['driver'], string>> = {
  postgres: 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)',
  sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
}

/** the database's own clock, in milliseconds, as an expression */
export const clockOf = ({ driver }: Pick<Database, 'driver'>): string => nowOf[driver]

export function createReplicaRows(db: Database): ReplicaRecords {
  const now = nowOf[db.driver]
  // set back, the clock would keep for hours who was heard before
  const within = `seen_at > ${now} - ? AND seen_at < ${now} + ?`
  const count = async () =>
    Number((await db.one(`SELECT count(*) AS alive FROM replicas WHERE ${within}`, [goneMs, goneMs]))?.['alive'])
  return {
    async beat(id) {
      await db.run(
        `INSERT INTO replicas (id, seen_at) VALUES (?, ${now}) ON CONFLICT (id) DO UPDATE SET seen_at = ${now}`,
        [id],
      )
      await db.run(`DELETE FROM replicas WHERE NOT (${within})`, [staleMs, staleMs])
      return count()
    },
    count,
    async leave(id) {
      await db.run('DELETE FROM replicas WHERE id = ?', [id])
    },
  }
}
