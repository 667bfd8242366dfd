// The audit over SQL: appended with the change it tells of, read newest first.
import { pageWithin, standardSteps, timesOf } from './audit-window.ts'
import { faultOf, readAnchor } from './audit-anchor.ts'
import { prune, removePruned, reseal } from './audit-prune.ts'
import { append, lineOf, verify as verifyChain } from './chain.ts'
import type { AuditFilter, AuditRecord, AuditRecords, Deed, Seals, Verified } from './records.ts'
import type { Database, Sql, Value } from './sql.ts'

/** The change and its line, together or not at all; no line where nothing was changed. */
export function audited(db: Database, deed: Deed, change: (sql: Sql) => Promise<boolean>): Promise<boolean> {
  return db.transaction(async (sql) => {
    const changed = await change(sql)
    if (changed) await append(sql, [deed])
    return changed
  })
}

/** `keys` means all that begins with `keys.` */
const fits = (act: string, wanted: string): boolean =>
  act === wanted || (!wanted.includes('.') && wanted !== 'read' && act.startsWith(`${wanted}.`))

/** the acts that there are lines of: one look into the index each, however long the audit is */
const everyAct = `WITH RECURSIVE found(act) AS (
  SELECT min(act) FROM audit
  UNION ALL SELECT (SELECT min(act) FROM audit WHERE act > found.act) FROM found WHERE found.act IS NOT NULL
) SELECT act FROM found WHERE act IS NOT NULL`

function conditionsOf({
  before,
  from,
  act,
  target,
  who,
  outcome,
  ...window
}: AuditFilter): [texts: string[], values: Value[]] {
  const [texts, values]: [string[], Value[]] = [[], []]
  const where = (text: string, ...more: Value[]) => {
    texts.push(text)
    values.push(...more)
  }
  if (before !== undefined) where('seq < ?', before)
  if (from !== undefined) where('seq >= ?', from)
  // `keys` means all that begins with `keys.`; a slash is the byte after a dot
  if (act?.includes('.') || act === 'read') where('act = ?', act)
  else if (act !== undefined) where('(act = ? OR (act > ? AND act < ?))', act, `${act}.`, `${act}/`)
  if (target !== undefined) where('target = ?', target)
  if (who !== undefined) where('who = ?', who)
  if (outcome !== undefined) where('outcome = ?', outcome)
  const [times, moments] = timesOf(window)
  return [
    [...texts, ...times],
    [...values, ...moments],
  ]
}

/** The newest of each act, and of these the newest: lines that are left out may be millions, and are never looked at. */
async function pageWithout(db: Database, { act: wanted, ...filter }: AuditFilter, without: string) {
  const acts = (await db.all(everyAct))
    .map((row) => row['act'] as string)
    .filter((act) => !fits(act, without) && (wanted === undefined || fits(act, wanted)))
  if (acts.length === 0) return []
  const [texts, values] = conditionsOf(filter)
  const one = `SELECT * FROM audit WHERE ${['act = ?', ...texts].join(' AND ')} ORDER BY seq DESC LIMIT ?`
  const each = acts.map(() => `SELECT * FROM (${one}) AS lines`).join(' UNION ALL ')
  const all = acts.flatMap((act) => [act, ...values, filter.limit])
  const rows = await db.all(`SELECT * FROM (${each}) AS newest ORDER BY seq DESC LIMIT ?`, [...all, filter.limit])
  return rows.map(lineOf)
}

async function read(db: Database, filter: AuditFilter): Promise<AuditRecord[]> {
  if (filter.without !== undefined) return pageWithout(db, filter, filter.without)
  const [texts, values] = conditionsOf(filter)
  const where = texts.length > 0 ? `WHERE ${texts.join(' AND ')}` : ''
  const rows = await db.all(`SELECT * FROM audit ${where} ORDER BY seq DESC LIMIT ?`, [...values, filter.limit])
  return rows.map(lineOf)
}

/** from the anchor on, where the audit was pruned; again, where that was moved on meanwhile */
export async function verify(sql: Sql, seals: Seals | undefined): Promise<Verified> {
  for (;;) {
    const anchor = await readAnchor(sql)
    const found = await verifyChain(sql, anchor && { seq: anchor.through, hash: anchor.hash })
    const fault = await faultOf(sql, seals)
    if ((await readAnchor(sql))?.through !== anchor?.through) continue
    return anchor ? { ...found, anchor: { ...anchor, fault } } : found
  }
}

export function createAuditRows(db: Database, steps = standardSteps): AuditRecords {
  async function appendAll(deeds: readonly Deed[]) {
    if (deeds.length > 0) await db.transaction(async (sql) => void (await append(sql, deeds)))
  }
  return {
    append: appendAll,
    gather: (deeds) => db.append?.(deeds) ?? appendAll(deeds),
    page: (filter) =>
      filter.since === undefined && filter.until === undefined ? read(db, filter) : pageWithin(db, filter, read, steps),
    head: async () => Number((await db.one('SELECT max(seq) AS head FROM audit'))?.['head'] ?? 0),
    async latestOf(acts) {
      // one look into the index each, however long the audit is
      const each = acts.map(() => 'SELECT max(seq) AS seq FROM audit WHERE act = ?').join(' UNION ALL ')
      return Number((await db.one(`SELECT max(seq) AS seq FROM (${each}) AS latest`, acts))?.['seq'] ?? 0)
    },
    verify: (seals) => verify(db, seals),
    anchor: () => readAnchor(db),
    prune: (keep, now, seals) => prune(db, keep, now, seals),
    removePruned: () => removePruned(db),
    reseal: (seals) => reseal(db, seals),
  }
}
