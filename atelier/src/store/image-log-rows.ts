// The logs of builds over SQL.
import type { Database } from '../../../base/store/sql.ts'

export interface LogLine {
  readonly seq: number
  readonly at: number
  readonly step: number
  readonly stream: 'stdout' | 'stderr' | 'service' | 'truncated'
  readonly data: string
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
  async log(image: string, after: number, limit: number): Promise<LogLine[]> {
    const rows = await db.all('SELECT * FROM image_logs WHERE image = ? AND seq > ? ORDER BY seq LIMIT ?', [
      image,
      after,
      limit,
    ])
    return rows.map((row) => ({
      seq: row['seq'] as number,
      at: row['at'] as number,
      step: row['step'] as number,
      stream: row['stream'] as LogLine['stream'],
      data: row['data'] as string,
    }))
  },
})
