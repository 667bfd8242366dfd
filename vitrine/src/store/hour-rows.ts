// The sums of each hour of the last week, for the charts: one row for an hour, to which all replicas add.
import type { Database } from '../../../base/store/sql.ts'
import type { HourRecords } from './records.ts'

const renewed = `INSERT INTO hours (hour, sums) VALUES (?, ?) ON CONFLICT (hour) DO UPDATE SET sums = excluded.sums`

export const createHourRows = (db: Database): HourRecords => ({
  add: (hours, merge, oldest) =>
    db.transaction(async (sql) => {
      for (const [hour, more] of hours) {
        const stored = (await sql.one('SELECT sums FROM hours WHERE hour = ?', [hour]))?.['sums']
        await sql.run(renewed, [hour, merge(stored === undefined ? undefined : String(stored), more)])
      }
      await sql.run('DELETE FROM hours WHERE hour <= ?', [oldest])
    }),
  async since(hour) {
    const rows = await db.all('SELECT hour, sums FROM hours WHERE hour >= ? ORDER BY hour', [hour])
    return rows.map((row) => ({ hour: Number(row['hour']), sums: String(row['sums']) }))
  },
})
