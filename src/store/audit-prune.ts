// Takes the oldest lines from the audit: looked through first, so that an edit is not pruned away with its traces, then told
// in a line and sealed into the anchor in one step, and removed in small batches that let every writer in between.
import { hostname } from 'node:os'
import { faultOf, readAnchor, writeAnchor } from './audit-anchor.ts'
import { append, beginning, follows, type Point } from './chain.ts'
import type { Anchor, Keeping, Pruned, Seals } from './records.ts'
import { clockOf } from './replica-rows.ts'
import { type Database, Refusal, type Row } from './sql.ts'

const pageSize = 500
/** lines of one pruning; what is left is due at once again */
const mostAtOnce = 50_000
const removedAtOnce = 250
const dayMs = 86_400_000
/** lines stay up to an hour longer: each pruning is a line itself */
const stepMs = 3_600_000
/** what stays of the lines that may be kept: so that not every new line prunes one */
const stays = 0.9

/** lines that are as old as this number, or older than this moment, are due */
interface Bound {
  readonly through: number
  readonly before: number
}

async function boundOf(db: Database, { days, lines }: Keeping, now: number, after: number): Promise<Bound> {
  const head = Number((await db.one('SELECT max(seq) AS head FROM audit'))?.['head'] ?? 0)
  const through = lines > 0 && head - after > lines ? head - Math.floor(lines * stays) : 0
  if (days === 0) return { through, before: Number.NEGATIVE_INFINITY }
  // a clock that is ahead, this one or the database's, must not prune what is young
  const theirs = Number((await db.one(`SELECT ${clockOf(db)} AS now`))?.['now'])
  return { through, before: Math.floor((Math.min(now, theirs) - days * dayMs) / stepMs) * stepMs }
}

interface Due extends Point {
  readonly fromAt: number
  readonly toAt: number
}

/** the lines from the beginning on that are due, each looked at; undefined: none */
async function dueOf(db: Database, { through, before }: Bound, after: Point): Promise<Due | undefined> {
  let [last, fromAt, toAt]: [Point, number, number] = [after, Number.POSITIVE_INFINITY, 0]
  const isDue = (row: Row) => Number(row['seq']) <= through || Number(row['at']) < before
  const found = () => (last.seq > after.seq ? { ...last, fromAt, toAt } : undefined)
  while (last.seq - after.seq < mostAtOnce) {
    const rows = await db.all('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', [last.seq, pageSize])
    for (const row of rows) {
      if (!isDue(row)) return found()
      if (!follows(last, row))
        throw new Refusal(`line ${String(row['seq'])} does not follow from the one before, so nothing is pruned`)
      last = { seq: Number(row['seq']), hash: String(row['hash']) }
      fromAt = Math.min(fromAt, Number(row['at']))
      toAt = Math.max(toAt, Number(row['at']))
    }
    if (rows.length < pageSize) return found()
    await new Promise((ok) => setImmediate(ok))
  }
  return found()
}

const pointOf = (anchor: Anchor | undefined): Point => (anchor ? { seq: anchor.through, hash: anchor.hash } : beginning)

const isoOf = (at: number): string => new Date(at).toISOString()

/** undefined where nothing was due, or another replica was quicker */
export async function prune(
  db: Database,
  keep: Keeping,
  now: number,
  seals: Seals | undefined,
): Promise<Pruned | undefined> {
  const after = pointOf(await readAnchor(db))
  const bound = await boundOf(db, keep, now, after.seq)
  const due = await dueOf(db, bound, after)
  if (!due) return undefined
  const { seq: through, hash, fromAt, toAt } = due
  const lines = through - after.seq
  return db.transaction(async (sql) => {
    if (pointOf(await readAnchor(sql)).seq !== after.seq) return undefined
    const fault = await faultOf(sql, seals)
    if (fault !== undefined) throw new Refusal(fault)
    const details = { lines, through, hash, from: isoOf(fromAt), to: isoOf(toAt), sealedBy: seals?.writes ?? null }
    const told = await append(sql, [
      {
        ...{ at: now, who: 'service', from: hostname(), requestId: null, act: 'audit.prune', target: null },
        ...{ outcome: 'done', details },
      },
    ])
    const place = { through, hash, fromAt, toAt, prunedAt: now, line: told.seq, lineHash: told.hash }
    await writeAnchor(sql, place, seals)
    return { lines, through, hash }
  })
}

/** one batch of what the anchor says is gone; true: there may be more */
export async function removePruned(db: Database): Promise<boolean> {
  const through = (await readAnchor(db))?.through ?? 0
  const oldest = await db.one('SELECT seq FROM audit ORDER BY seq LIMIT 1')
  if (oldest === undefined || Number(oldest['seq']) > through) return false
  const some = 'SELECT seq FROM audit WHERE seq <= ? ORDER BY seq LIMIT ?'
  const removed = await db.run(`DELETE FROM audit WHERE seq IN (${some})`, [through, removedAtOnce])
  return removed === removedAtOnce
}

/** seals the anchor with the master key that writes; what was wrong with it is said, and stays */
export function reseal(db: Database, seals: Seals): Promise<string | undefined> {
  return db.transaction(async (sql) => {
    const anchor = await readAnchor(sql)
    if (!anchor || anchor.sealedBy === seals.writes) return undefined
    // without a master key until now: this act of the operator's is what vouches for it
    const fault = await faultOf(sql, anchor.sealedBy === null ? undefined : seals)
    if (fault === undefined) await writeAnchor(sql, anchor, seals)
    return fault
  })
}
