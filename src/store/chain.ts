// The chain of the audit: each line carries a digest over the line before and itself, so that an edit shows.
import { createHash } from 'node:crypto'
import type { AuditRecord, Deed } from './records.ts'
import { marks, type Row, type Sql, type Value } from './sql.ts'

export const auditColumns = 'seq, at, who, origin, request_id, act, target, outcome, details, hash'.split(
  ', ',
) as readonly string[]

const first = '0'.repeat(64)
const pageSize = 500
/** in one statement: a round trip for each would hold up every other writer */
const linesAtOnce = 50

/** what a line says, in the order of the columns, without its hash; `details` is hashed as the text that is kept */
type Said = readonly Value[]

const hashOf = (before: string, said: Said): string =>
  createHash('sha256')
    .update(`${before}\n${JSON.stringify(said)}`)
    .digest('hex')

/** text that comes back from either database as it went in: a line that reads differently would break the chain */
const kept = (text: string): string => text.toWellFormed().replaceAll('\0', '\u{fffd}')
const keptOrNull = (text: string | null): string | null => (text === null ? null : kept(text))

const saidOf = (seq: number, deed: Deed): Said => [
  seq,
  deed.at,
  kept(deed.who),
  kept(deed.from),
  keptOrNull(deed.requestId),
  kept(deed.act),
  keptOrNull(deed.target),
  deed.outcome,
  JSON.stringify(deed.details),
]

/** a line, and what the next one is hashed over */
export interface Point {
  readonly seq: number
  readonly hash: string
}
export const beginning: Point = { seq: 0, hash: first }

/** within a transaction only: the number and the hash depend on the last line. Answers the last one then */
export async function append(sql: Sql, deeds: readonly Deed[]): Promise<Point> {
  const last = await sql.one('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1')
  let seq = Number(last?.['seq'] ?? 0)
  let hash = String(last?.['hash'] ?? first)
  for (let from = 0; from < deeds.length; from += linesAtOnce) {
    const lines = deeds.slice(from, from + linesAtOnce).map((deed) => {
      const said = saidOf(++seq, deed)
      hash = hashOf(hash, said)
      return [...said, hash]
    })
    const rows = lines.map(() => marks(auditColumns.length)).join()
    await sql.run(`INSERT INTO audit (${auditColumns.join()}) VALUES ${rows}`, lines.flat())
  }
  return { seq, hash }
}

export function follows({ seq, hash }: Point, row: Row): boolean {
  const said = auditColumns.slice(0, -1).map((column) => row[column] ?? null)
  return Number(row['seq']) === seq + 1 && hashOf(hash, said) === row['hash']
}

/** the first line behind `from` that does not follow from the one before, and how many do */
export async function verify(sql: Sql, from = beginning): Promise<{ lines: number; brokenAt: number | undefined }> {
  let last = from
  const told = (brokenAt: number | undefined) => ({ lines: last.seq - from.seq, brokenAt })
  for (;;) {
    const rows = await sql.all('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', [last.seq, pageSize])
    for (const row of rows) {
      const seq = Number(row['seq'])
      if (!follows(last, row)) return told(seq)
      last = { seq, hash: String(row['hash']) }
    }
    if (rows.length < pageSize) return told(undefined)
    // a page of hashes takes some milliseconds; whoever waits behind it comes first
    await new Promise((ok) => setImmediate(ok))
  }
}

export function readDetails(text: Value | undefined): AuditRecord['details'] | undefined {
  try {
    const read: unknown = JSON.parse(String(text))
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Deed['details']) : undefined
  } catch {
    return undefined
  }
}

export const lineOf = (row: Row): AuditRecord => ({
  seq: row['seq'] as number,
  hash: row['hash'] as string,
  at: row['at'] as number,
  who: row['who'] as string,
  from: row['origin'] as string,
  requestId: row['request_id'] as string | null,
  act: row['act'] as string,
  target: row['target'] as string | null,
  outcome: row['outcome'] as Deed['outcome'],
  details: readDetails(row['details']) ?? {},
})
