// The hash chain of the audit log: each line carries a hash over the line before and itself, so that an edit shows.
import { attempt } from '../core/attempt.ts'
import { isJsonObject } from '../core/json.ts'
import { createHash } from 'node:crypto'
import type { AuditRecord, AuditEntry } from '../core/audit.ts'
import { placeholders, type SqlRow, type Sql, type SqlValue } from './sql.ts'

export const auditColumns = 'seq, at, who, origin, request_id, act, target, outcome, details, hash'.split(
  ', ',
) as readonly string[]

const first = '0'.repeat(64)
const pageSize = 500
/** lines per statement: a round trip for each would hold up every other writer */
const linesAtOnce = 50

type LineValues = readonly SqlValue[]

const hashOf = (before: string, values: LineValues): string =>
  createHash('sha256')
    .update(`${before}\n${JSON.stringify(values)}`)
    .digest('hex')

/** as both databases give it back: text that reads back differently would break the chain */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\u{fffd}')
const storableOrNull = (text: string | null): string | null => (text === null ? null : storable(text))

const valuesOf = (seq: number, entry: AuditEntry): LineValues => [
  seq,
  entry.at,
  storable(entry.who),
  storable(entry.from),
  storableOrNull(entry.requestId),
  storable(entry.act),
  storableOrNull(entry.target),
  entry.outcome,
  JSON.stringify(entry.details),
]

export interface ChainPosition {
  readonly seq: number
  readonly hash: string
}
export const chainStart: ChainPosition = { seq: 0, hash: first }

/** only within a transaction: number and hash depend on the last line. Answers the new last line. */
export async function appendEntries(sql: Sql, entries: readonly AuditEntry[]): Promise<ChainPosition> {
  const last = await sql.one('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1')
  let seq = Number(last?.['seq'] ?? 0)
  let hash = String(last?.['hash'] ?? first)
  for (let from = 0; from < entries.length; from += linesAtOnce) {
    const lines = entries.slice(from, from + linesAtOnce).map((entry) => {
      const values = valuesOf(++seq, entry)
      hash = hashOf(hash, values)
      return [...values, hash]
    })
    const rows = lines.map(() => placeholders(auditColumns.length)).join()
    await sql.run(`INSERT INTO audit (${auditColumns.join()}) VALUES ${rows}`, lines.flat())
  }
  return { seq, hash }
}

export function follows({ seq, hash }: ChainPosition, row: SqlRow): boolean {
  const values = auditColumns.slice(0, -1).map((column) => row[column] ?? null)
  return Number(row['seq']) === seq + 1 && hashOf(hash, values) === row['hash']
}

export async function verifyChain(
  sql: Sql,
  from = chainStart,
): Promise<{ lines: number; brokenAt: number | undefined }> {
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
    await new Promise((ok) => setImmediate(ok))
  }
}

export function readDetails(text: SqlValue | undefined): AuditRecord['details'] | undefined {
  const read: unknown = attempt(() => JSON.parse(String(text)))
  return isJsonObject(read) ? (read as AuditEntry['details']) : undefined
}

export const auditRecordOf = (row: SqlRow): AuditRecord => ({
  seq: row['seq'] as number,
  hash: row['hash'] as string,
  at: row['at'] as number,
  who: row['who'] as string,
  from: row['origin'] as string,
  requestId: row['request_id'] as string | null,
  act: row['act'] as string,
  target: row['target'] as string | null,
  outcome: row['outcome'] as AuditEntry['outcome'],
  details: readDetails(row['details']) ?? {},
})
