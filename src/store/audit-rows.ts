// The audit over SQL: appended with the change it tells of, read newest first.
import { append, lineOf, verify } from './chain.ts'
import type { AuditFilter, AuditRecords, Deed } from './records.ts'
import type { Database, Sql, Value } from './sql.ts'

/** The change and its line, together or not at all; no line where nothing was changed. */
export function audited(db: Database, deed: Deed, change: (sql: Sql) => Promise<boolean>): Promise<boolean> {
  return db.transaction(async (sql) => {
    const changed = await change(sql)
    if (changed) await append(sql, [deed])
    return changed
  })
}

function conditionsOf({ before, act, target, who, outcome }: AuditFilter): [texts: string[], values: Value[]] {
  const [texts, values]: [string[], Value[]] = [[], []]
  const where = (text: string, ...more: Value[]) => {
    texts.push(text)
    values.push(...more)
  }
  if (before !== undefined) where('seq < ?', before)
  // `keys` means all that begins with `keys.`; a slash is the byte after a dot
  if (act?.includes('.') || act === 'read') where('act = ?', act)
  else if (act !== undefined) where('(act = ? OR (act > ? AND act < ?))', act, `${act}.`, `${act}/`)
  if (target !== undefined) where('target = ?', target)
  if (who !== undefined) where('who = ?', who)
  if (outcome !== undefined) where('outcome = ?', outcome)
  return [texts, values]
}

export function createAuditRows(db: Database): AuditRecords {
  return {
    async append(deeds) {
      if (deeds.length > 0) await db.transaction((sql) => append(sql, deeds))
    },
    async page(filter) {
      const [texts, values] = conditionsOf(filter)
      const where = texts.length > 0 ? `WHERE ${texts.join(' AND ')}` : ''
      const rows = await db.all(`SELECT * FROM audit ${where} ORDER BY seq DESC LIMIT ?`, [...values, filter.limit])
      return rows.map(lineOf)
    },
    head: async () => Number((await db.one('SELECT max(seq) AS head FROM audit'))?.['head'] ?? 0),
    async latestOf(acts) {
      // one look into the index each, however long the audit is
      const each = acts.map(() => 'SELECT max(seq) AS seq FROM audit WHERE act = ?').join(' UNION ALL ')
      return Number((await db.one(`SELECT max(seq) AS seq FROM (${each}) AS latest`, acts))?.['seq'] ?? 0)
    },
    verify: () => verify(db),
  }
}
