// Lines of the audit log between two times. Numbers follow time only roughly, since clocks are set back: the times of the
// lines decide, and numbers only say where to look.
import type { AuditFilter, AuditRecord } from '../core/audit.ts'
import type { Database, Sql, SqlValue } from './sql.ts'

type Window = Pick<AuditFilter, 'since' | 'until'>

/** the plus keeps the planner off the index of times, which would read and sort all of a long window */
export const timeConditions = ({ since, until }: Window, at = '+at'): [texts: string[], values: SqlValue[]] => [
  [...(since === undefined ? [] : [`${at} >= ?`]), ...(until === undefined ? [] : [`${at} < ?`])],
  [since, until].filter((time) => time !== undefined),
]

export interface WindowSteps {
  /** a longer window is not narrowed by numbers: that would take as long as reading it */
  readonly mostCounted: number
  readonly stretch: number
}
export const standardSteps: WindowSteps = { mostCounted: 50_000, stretch: 50_000 }

interface Bounds {
  readonly low: number
  readonly high: number
}

async function boundsOf(sql: Sql, window: Window, { mostCounted }: WindowSteps): Promise<Bounds | undefined> {
  const [texts, values] = timeConditions(window, 'at')
  const few = `SELECT seq FROM audit WHERE ${texts.join(' AND ')} LIMIT ${mostCounted + 1}`
  const found = await sql.one(
    `SELECT count(*) AS lines, min(seq) AS low, max(seq) AS high FROM (${few}) AS few`,
    values,
  )
  const lines = Number(found?.['lines'])
  if (lines === 0) return undefined
  if (lines <= mostCounted) return { low: Number(found?.['low']), high: Number(found?.['high']) }
  const ends = await sql.one('SELECT (SELECT min(seq) FROM audit) AS low, (SELECT max(seq) FROM audit) AS high')
  return { low: Number(ends?.['low']), high: Number(ends?.['high']) }
}

type ReadPage = (db: Database, filter: AuditFilter) => Promise<AuditRecord[]>

export async function pageBetween(db: Database, filter: AuditFilter, read: ReadPage, steps: WindowSteps) {
  const bounds = await boundsOf(db, filter, steps)
  const found: AuditRecord[] = []
  if (!bounds) return found
  let before = Math.min(filter.before ?? Number.POSITIVE_INFINITY, bounds.high + 1)
  while (found.length < filter.limit && before > bounds.low) {
    const from = Math.max(bounds.low, before - steps.stretch)
    found.push(...(await read(db, { ...filter, before, from, limit: filter.limit - found.length })))
    before = from
    await new Promise((ok) => setImmediate(ok))
  }
  return found
}
