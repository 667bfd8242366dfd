// After a restore: sessions that had ended since the backup would be alive again, so all of them end.
import type { Database } from '../../../base/store/sql.ts'

export const endSessions = (db: Database): Promise<void> =>
  db.transaction(async (sql) => {
    await sql.run('DELETE FROM sessions')
    await sql.run('DELETE FROM ssh_sessions')
  })
