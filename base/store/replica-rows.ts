// The list of replicas over one database, by the database's clock. Where no row can be written, a replica shows itself by
// the name of its session.
import { goneMs, type ReplicaRecords } from '../core/replica-records.ts'
import type { Database } from './sql.ts'

const staleMs = 60_000

const nowOf: Readonly<Record<Database['driver'], string>> = {
  postgres: 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)',
  sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
}

export const clockOf = ({ driver }: Pick<Database, 'driver'>): string => nowOf[driver]

/** PostgreSQL lists its sessions even where it is read-only */
const sessionsNamed = (
  sessionName: string,
): string => `SELECT substr(application_name, ${sessionName.length + 1}) AS id FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE '${sessionName}%'
  AND state_change > clock_timestamp() - make_interval(secs => ${goneMs / 1_000})`

export function createReplicaRows(db: Database): ReplicaRecords {
  const now = nowOf[db.driver]
  const sessionName = `${db.schema.name} replica `
  const sessions = sessionsNamed(sessionName)
  // a clock that was set back would keep old replicas for hours
  const within = `seen_at > ${now} - ? AND seen_at < ${now} + ?`
  const rows = `SELECT id FROM replicas WHERE ${within}`
  const all = db.driver === 'postgres' ? `${rows} UNION ${sessions}` : rows
  const countIn = async (ids: string, values?: readonly number[]) =>
    Number((await db.one(`SELECT count(*) AS alive FROM (${ids}) AS heard`, values))?.['alive'])
  const count = () => countIn(all, [goneMs, goneMs])

  async function show(id: string) {
    await db.one(`SELECT set_config('application_name', ?, false)`, [`${sessionName}${id}`])
    const isShown = await db.one(`SELECT 1 FROM (${sessions}) AS heard WHERE id = ?`, [id])
    if (!isShown) throw new Error('the server does not tell of its sessions')
    return count().catch(() => countIn(sessions))
  }

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
    ...(db.driver === 'postgres' && { show }),
    async leave(id) {
      await db.run('DELETE FROM replicas WHERE id = ?', [id])
    },
  }
}
