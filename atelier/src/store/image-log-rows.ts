// The logs of builds over SQL.
import type { Database, Sql, SqlRow } from '../../../base/store/sql.ts'

export interface LogLine {
  readonly seq: number
  readonly at: number
  readonly step: number
  readonly stream: 'stdout' | 'stderr' | 'service' | 'truncated'
  readonly data: string
}

export interface LogPage {
  readonly lines: number
  readonly bytes: number
}

const page: LogPage = { lines: 500, bytes: 64 * 1024 }

function lastOf(sizes: readonly SqlRow[], mostBytes: number): number | undefined {
  let bytes = 0
  const beyond = sizes.findIndex((row) => (bytes += row['bytes'] as number) > mostBytes)
  return sizes.at(beyond < 0 ? -1 : Math.max(0, beyond - 1))?.['seq'] as number | undefined
}

/** the bytes of one image, for an UPDATE: a line costs the store more than its text */
export const logBytes = `(SELECT coalesce(sum(octet_length(data) + 64), 0) FROM image_logs WHERE image = images.id)`

export interface KeptBuilds {
  readonly buildLogsBytes: number
  readonly endedBuilds: number
}

const newestFirst = 'ORDER BY finished_at DESC, id DESC'

async function trimLogs(sql: Sql, account: string, mostBytes: number) {
  const rows = await sql.all(`SELECT id, log_bytes FROM images WHERE account = ? AND log_bytes > 0 ${newestFirst}`, [
    account,
  ])
  let bytes = 0
  for (const row of rows) {
    bytes += Number(row['log_bytes'])
    if (bytes <= mostBytes) continue
    const id = row['id'] as string
    await sql.run('DELETE FROM image_logs WHERE image = ?', [id])
    await sql.run('UPDATE images SET log_bytes = 0 WHERE id = ?', [id])
  }
}

/** not of images that the engine lost, which may come back */
async function trimEnded(sql: Sql, account: string, most: number) {
  const rows = await sql.all(
    `SELECT id FROM images WHERE account = ? AND status IN ('failed', 'cancelled') AND engine_id IS NULL
     ${newestFirst} LIMIT 1000 OFFSET ${most}`,
    [account],
  )
  for (const row of rows) {
    const id = row['id'] as string
    await sql.run('DELETE FROM image_logs WHERE image = ?', [id])
    await sql.run('DELETE FROM images WHERE id = ?', [id])
  }
}

export const createImageLogRows = (db: Database) => ({
  /** called after a build; removes those of the builds that ended first */
  trimBuilds: (account: string, { buildLogsBytes, endedBuilds }: KeptBuilds): Promise<void> =>
    db.transaction(async (sql) => {
      await trimLogs(sql, account, buildLogsBytes)
      await trimEnded(sql, account, endedBuilds)
    }),
  addLog: (image: string, { seq, at, step, stream, data }: LogLine) =>
    db.run('INSERT INTO image_logs (image, seq, at, step, stream, data) VALUES (?, ?, ?, ?, ?, ?)', [
      image,
      seq,
      at,
      step,
      stream,
      data,
    ]),
  /** the next lines: at least one if there are any, and no more than so many bytes of further ones */
  async log(image: string, after: number, most: LogPage = page): Promise<LogLine[]> {
    const sizes = await db.all(
      'SELECT seq, octet_length(data) AS bytes FROM image_logs WHERE image = ? AND seq > ? ORDER BY seq LIMIT ?',
      [image, after, most.lines],
    )
    const last = lastOf(sizes, most.bytes)
    if (last === undefined) return []
    const rows = await db.all(
      'SELECT seq, at, step, stream, data FROM image_logs WHERE image = ? AND seq > ? AND seq <= ? ORDER BY seq',
      [image, after, last],
    )
    return rows.map((row) => ({
      seq: row['seq'] as number,
      at: row['at'] as number,
      step: row['step'] as number,
      stream: row['stream'] as LogLine['stream'],
      data: row['data'] as string,
    }))
  },
})
