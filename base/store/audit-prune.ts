// Removes the oldest lines of the audit log. They are verified first, so that an edit is not pruned with its traces; then one
// transaction records the pruning and seals the anchor; small batches delete them and let writers in between.
import { hostname } from 'node:os'
import { anchorFault, readAnchor, writeAnchor } from './audit-anchor.ts'
import { appendEntries, chainStart, follows, type ChainPosition } from './audit-chain.ts'
import type { Anchor, Keeping, Pruned, Seals } from '../core/audit.ts'
import { clockOf } from './replica-rows.ts'
import { type Database, StoreRefusal, type SqlRow } from './sql.ts'

const pageSize = 500
const mostAtOnce = 50_000
const removedAtOnce = 250
const dayMs = 86_400_000
/** the age limit is rounded to an hour, since each pruning adds a line */
const stepMs = 3_600_000
const keptPart = 0.9

interface Bound {
  readonly through: number
  readonly before: number
}

async function boundOf(db: Database, { days, lines }: Keeping, now: number, after: number): Promise<Bound> {
  const head = Number((await db.one('SELECT max(seq) AS head FROM audit'))?.['head'] ?? 0)
  const through = lines > 0 && head - after > lines ? head - Math.floor(lines * keptPart) : 0
  if (days === 0) return { through, before: Number.NEGATIVE_INFINITY }
  // neither clock being ahead may prune young lines
  const theirs = Number((await db.one(`SELECT ${clockOf(db)} AS now`))?.['now'])
  return { through, before: Math.floor((Math.min(now, theirs) - days * dayMs) / stepMs) * stepMs }
}

interface Due extends ChainPosition {
  readonly fromAt: number
  readonly toAt: number
}

async function dueOf(db: Database, { through, before }: Bound, after: ChainPosition): Promise<Due | undefined> {
  let [last, fromAt, toAt]: [ChainPosition, number, number] = [after, Number.POSITIVE_INFINITY, 0]
  const isDue = (row: SqlRow) => Number(row['seq']) <= through || Number(row['at']) < before
  const found = () => (last.seq > after.seq ? { ...last, fromAt, toAt } : undefined)
  while (last.seq - after.seq < mostAtOnce) {
    const rows = await db.all('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', [last.seq, pageSize])
    for (const row of rows) {
      if (!isDue(row)) return found()
      if (!follows(last, row))
        throw new StoreRefusal(`line ${String(row['seq'])} does not follow from the one before, so nothing is pruned`)
      last = { seq: Number(row['seq']), hash: String(row['hash']) }
      fromAt = Math.min(fromAt, Number(row['at']))
      toAt = Math.max(toAt, Number(row['at']))
    }
    if (rows.length < pageSize) return found()
    await new Promise((ok) => setImmediate(ok))
  }
  return found()
}

const pointOf = (anchor: Anchor | undefined): ChainPosition =>
  anchor ? { seq: anchor.through, hash: anchor.hash } : chainStart

const isoOf = (at: number): string => new Date(at).toISOString()

export async function prune(
  db: Database,
  keep: Keeping,
  now: number,
  seals: Seals | undefined,
): Promise<Pruned | undefined> {
  const { name } = db.schema
  const after = pointOf(await readAnchor(db))
  const bound = await boundOf(db, keep, now, after.seq)
  const due = await dueOf(db, bound, after)
  if (!due) return undefined
  const { seq: through, hash, fromAt, toAt } = due
  const lines = through - after.seq
  return db.transaction(async (sql) => {
    if (pointOf(await readAnchor(sql)).seq !== after.seq) return undefined
    const fault = await anchorFault(sql, { seals, name })
    if (fault !== undefined) throw new StoreRefusal(fault)
    const details = { lines, through, hash, from: isoOf(fromAt), to: isoOf(toAt), sealedBy: seals?.writes ?? null }
    const line = await appendEntries(sql, [
      {
        at: now,
        who: 'service',
        from: hostname(),
        requestId: null,
        act: 'audit.prune',
        target: null,
        outcome: 'done',
        details,
      },
    ])
    const place = { through, hash, fromAt, toAt, prunedAt: now, line: line.seq, lineHash: line.hash }
    await writeAnchor(sql, place, { seals, name })
    return { lines, through, hash }
  })
}

export async function removePruned(db: Database): Promise<boolean> {
  const through = (await readAnchor(db))?.through ?? 0
  const oldest = await db.one('SELECT seq FROM audit ORDER BY seq LIMIT 1')
  if (oldest === undefined || Number(oldest['seq']) > through) return false
  const some = 'SELECT seq FROM audit WHERE seq <= ? ORDER BY seq LIMIT ?'
  const removed = await db.run(`DELETE FROM audit WHERE seq IN (${some})`, [through, removedAtOnce])
  return removed === removedAtOnce
}

export function reseal(db: Database, seals: Seals): Promise<string | undefined> {
  const { name } = db.schema
  return db.transaction(async (sql) => {
    const anchor = await readAnchor(sql)
    if (!anchor || anchor.sealedBy === seals.writes) return undefined
    // first master key: the operator's act vouches for an anchor that has none yet
    const fault = await anchorFault(sql, { name, seals: anchor.sealedBy === null ? undefined : seals })
    if (fault === undefined) await writeAnchor(sql, anchor, { seals, name })
    return fault
  })
}
