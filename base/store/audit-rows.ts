// The audit log over SQL: appended in the transaction of the change it records, read newest first.
import { pageBetween, standardSteps, timeConditions } from './audit-window.ts'
import { anchorFault, readAnchor } from './audit-anchor.ts'
import { prune, removePruned, reseal } from './audit-prune.ts'
import { appendEntries, auditRecordOf, verifyChain } from './audit-chain.ts'
import type { AuditFilter, AuditRecord, AuditRecords, AuditEntry, Seals, Verified } from '../core/audit.ts'
import type { Database, Sql, SqlValue } from './sql.ts'

export function audited(db: Database, entry: AuditEntry, change: (sql: Sql) => Promise<boolean>): Promise<boolean> {
  return db.transaction(async (sql) => {
    const changed = await change(sql)
    if (changed) await appendEntries(sql, [entry])
    return changed
  })
}

const fits = (act: string, wanted: string): boolean =>
  act === wanted || (!wanted.includes('.') && wanted !== 'read' && act.startsWith(`${wanted}.`))

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
  about,
  outcome,
  ...window
}: AuditFilter): [texts: string[], values: SqlValue[]] {
  const [texts, values]: [string[], SqlValue[]] = [[], []]
  const where = (text: string, ...more: SqlValue[]) => {
    texts.push(text)
    values.push(...more)
  }
  if (before !== undefined) where('seq < ?', before)
  if (from !== undefined) where('seq >= ?', from)
  // `keys` also matches `keys.…`; a slash is the byte after a dot
  if (act?.includes('.') || act === 'read') where('act = ?', act)
  else if (act !== undefined) where('(act = ? OR (act > ? AND act < ?))', act, `${act}.`, `${act}/`)
  if (target !== undefined) where('target = ?', target)
  if (who !== undefined) where('who = ?', who)
  if (about !== undefined) where('(who = ? OR target = ?)', about, about)
  if (outcome !== undefined) where('outcome = ?', outcome)
  const [times, moments] = timeConditions(window)
  return [
    [...texts, ...times],
    [...values, ...moments],
  ]
}

/** Merges the newest lines of each act: left-out lines may be millions, and are never read. */
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
  return rows.map(auditRecordOf)
}

async function read(db: Database, filter: AuditFilter): Promise<AuditRecord[]> {
  if (filter.without !== undefined) return pageWithout(db, filter, filter.without)
  const [texts, values] = conditionsOf(filter)
  const where = texts.length > 0 ? `WHERE ${texts.join(' AND ')}` : ''
  const rows = await db.all(`SELECT * FROM audit ${where} ORDER BY seq DESC LIMIT ?`, [...values, filter.limit])
  return rows.map(auditRecordOf)
}

export async function verifyAudit(sql: Database, seals: Seals | undefined): Promise<Verified> {
  for (;;) {
    const anchor = await readAnchor(sql)
    const found = await verifyChain(sql, anchor && { seq: anchor.through, hash: anchor.hash })
    const fault = await anchorFault(sql, { seals, name: sql.schema.name })
    if ((await readAnchor(sql))?.through !== anchor?.through) continue
    return anchor ? { ...found, anchor: { ...anchor, fault } } : found
  }
}

export function createAuditRows(db: Database, steps = standardSteps): AuditRecords {
  async function appendAll(entries: readonly AuditEntry[]) {
    if (entries.length > 0) await db.transaction(async (sql) => void (await appendEntries(sql, entries)))
  }
  return {
    append: appendAll,
    gather: (entries) => db.append?.(entries) ?? appendAll(entries),
    page: (filter) =>
      filter.since === undefined && filter.until === undefined
        ? read(db, filter)
        : pageBetween(db, filter, read, steps),
    head: async () => Number((await db.one('SELECT max(seq) AS head FROM audit'))?.['head'] ?? 0),
    async latestOf(acts) {
      const each = acts.map(() => 'SELECT max(seq) AS seq FROM audit WHERE act = ?').join(' UNION ALL ')
      return Number((await db.one(`SELECT max(seq) AS seq FROM (${each}) AS latest`, acts))?.['seq'] ?? 0)
    },
    verify: (seals) => verifyAudit(db, seals),
    anchor: () => readAnchor(db),
    prune: (keep, now, seals) => prune(db, keep, now, seals),
    removePruned: () => removePruned(db),
    reseal: (seals) => reseal(db, seals),
  }
}
