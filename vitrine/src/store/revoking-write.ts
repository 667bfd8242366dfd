// A write that revokes or narrows a grant: replicas that use cached records are notified before it happens, and again before
// it is confirmed.
import { appendEntries } from '../../../base/store/audit-chain.ts'
import type { AuditEntry } from '../../../base/core/audit.ts'
import type { Database, Sql } from '../../../base/store/sql.ts'

/** As `audited`. Published even where nothing changed: a repeated act may follow one whose end was not confirmed. */
export async function revokingWrite(
  db: Database,
  entry: AuditEntry,
  change: (sql: Sql) => Promise<boolean>,
): Promise<boolean> {
  let isAnnounced = false
  try {
    return await db.transaction(async (sql) => {
      const changed = await change(sql)
      if (changed) await appendEntries(sql, [entry])
      // not reached while the store is down: a failed attempt must not end the use of cached records
      isAnnounced = true
      await db.outage.revocations?.announce()
      return changed
    })
  } finally {
    if (isAnnounced) await db.outage.revocations?.publish()
  }
}
