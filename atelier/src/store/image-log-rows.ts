// The logs of builds over SQL.
import type { Database, SqlRow } from '../../../base/store/sql.ts'

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

export const createImageLogRows = (db: Database) => ({
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
