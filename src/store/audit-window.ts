// Lines of the audit between two moments. They are numbered as they came, and nearly in the order of their times: a clock
// that was set back makes the difference, so the times of the lines themselves decide, and numbers only say where to look.
import type { AuditFilter, AuditRecord } from './records.ts'
import type { Database, Sql, Value } from './sql.ts'

type Window = Pick<AuditFilter, 'since' | 'until'>

/** the plus keeps a planner from the index of times, by which it would read and sort all of a long window */
export const timesOf = ({ since, until }: Window, at = '+at'): [texts: string[], values: Value[]] => [
  [...(since === undefined ? [] : [`${at} >= ?`]), ...(until === undefined ? [] : [`${at} < ?`])],
  [since, until].filter((time) => time !== undefined),
]

export interface Steps {
  /** of a longer window the bounds are not looked for: that would take as long as the walk */
  readonly mostCounted: number
  /** lines that are looked at in one go */
  readonly stretch: number
}
export const standardSteps: Steps = { mostCounted: 50_000, stretch: 50_000 }

interface Bounds {
  readonly low: number
  readonly high: number
}

/** the numbers of the first and the last line that may be in it; undefined where there is none */
async function boundsOf(sql: Sql, window: Window, { mostCounted }: Steps): Promise<Bounds | undefined> {
  const [texts, values] = timesOf(window, 'at')
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

/** `read`: a page by numbers */
export async function pageWithin(db: Database, filter: AuditFilter, read: ReadPage, steps: Steps) {
  const bounds = await boundsOf(db, filter, steps)
  const found: AuditRecord[] = []
  if (!bounds) return found
  let before = Math.min(filter.before ?? Number.POSITIVE_INFINITY, bounds.high + 1)
  while (found.length < filter.limit && before > bounds.low) {
    const from = Math.max(bounds.low, before - steps.stretch)
    found.push(...(await read(db, { ...filter, before, from, limit: filter.limit - found.length })))
    before = from
    // whoever waits behind a long walk comes first
    await new Promise((ok) => setImmediate(ok))
  }
  return found
}
