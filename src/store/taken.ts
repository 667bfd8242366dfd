// An act that takes something away: those who may still believe in it are told before it is done, and again before anybody
// hears that it was.
import { append } from './chain.ts'
import type { Deed } from './records.ts'
import type { Database, Sql } from './sql.ts'

/** As `audited`. It is told where nothing was changed, too: who repeats an act may not have heard how the first one ended. */
export async function taken(db: Database, deed: Deed, change: (sql: Sql) => Promise<boolean>): Promise<boolean> {
  let isAnnounced = false
  try {
    return await db.transaction(async (sql) => {
      const changed = await change(sql)
      if (changed) await append(sql, [deed])
      // a store that is away never comes so far: a try in vain ends no belief
      isAnnounced = true
      await db.attended.takings?.announce()
      return changed
    })
  } finally {
    if (isAnnounced) await db.attended.takings?.tell()
  }
}
