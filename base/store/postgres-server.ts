// Whether the PostgreSQL server that answers is the primary, and what its clock says. Each query asks both along with its
// rows: behind a pooler, two statements of one connection may reach two servers.
import type { QueryResult } from 'pg'
import { Problem } from '../core/problem.ts'
import type { SqlRow, SqlValue } from './sql.ts'

/** one answer of the primary proves little while the address leads to several servers in turn */
const settledMs = 1_000

export const standbyReason =
  'the server is a hot standby, which may lag behind its primary: what it says of keys and connections is not believed'

export class StandbyError extends Error {
  constructor() {
    super(standbyReason)
  }
}

export const standbyProblem = (): Problem =>
  new Problem('store_unavailable', {
    message: 'The address of the store leads to a hot standby instead of the primary.',
    cause: standbyReason,
    retryAfterSec: 1,
  })

const stateColumns =
  'pg_is_in_recovery() AS server_standby, ' +
  'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT) AS server_now'

export const serverQuery = `SELECT ${stateColumns}`

/** the query's rows in order, each with the server's state; one row with the state alone where there are none */
export const withServerState = (text: string): string =>
  `SELECT ${stateColumns}, found.* FROM (SELECT) AS server
   LEFT JOIN (SELECT true AS server_found, wanted.* FROM (${text}) AS wanted) AS found ON true`

type Asking = (text: string, values?: readonly SqlValue[]) => Promise<Pick<QueryResult, 'rows'>>

export type Server = ReturnType<typeof createServer>

/** `mayLag`: a standby may answer, since nothing is authorized by its rows */
export function createServer(mayLag = false, steady = (): number => performance.now()) {
  let aheadMs = Date.now() - steady()
  let [standbyAt, primaryAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

  function noteState({ server_standby: isStandby, server_now: at }: Record<string, unknown>, askedAt: number) {
    const answeredAt = steady()
    // the server read its clock between question and answer: a slow answer must not worsen a good estimate
    aheadMs = Math.min(Math.max(aheadMs, Number(at) - answeredAt), Number(at) - askedAt)
    if (isStandby === true && !mayLag) {
      standbyAt = answeredAt
      throw new StandbyError()
    }
    primaryAt = answeredAt
  }

  function hear({ rows }: Pick<QueryResult, 'rows'>, askedAt: number): SqlRow[] {
    const all = rows as Record<string, unknown>[]
    noteState(all[0] ?? {}, askedAt)
    if (all[0]?.['server_found'] !== true) return []
    return all.map(({ server_standby: _standby, server_now: _now, server_found: _found, ...row }) => row as SqlRow)
  }

  return {
    hear,
    async ask(ask: Asking, text = serverQuery, values?: readonly SqlValue[]): Promise<SqlRow[]> {
      const askedAt = steady()
      return hear(await ask(text, values), askedAt)
    },
    now: () => Math.floor(steady() + aheadMs),
    // no further query may come once a primary answers
    isStandby: () => standbyAt > primaryAt || steady() - standbyAt <= settledMs,
  }
}
