// What is known of the PostgreSQL server that answers: whether it is the primary, and what its clock says. Every read asks both
// along with its rows, since behind a pooler two statements on one connection may reach two servers.
import type { QueryResult } from 'pg'
import { Problem } from '../problem.ts'
import type { Row, Value } from './sql.ts'

/** of an address that leads to several servers in turn, one answer of the primary says little */
const settledMs = 1_000

export const standbyWords =
  'the server is a hot standby, which may lag behind its primary: what it says of keys and connections is not believed'

/** The server answered, and is not the one to be asked. */
export class StandbyError extends Error {
  constructor() {
    super(standbyWords)
  }
}

export const standbyProblem = (): Problem =>
  new Problem('store_unavailable', {
    message: 'The address of the store leads to a hot standby instead of the primary.',
    cause: standbyWords,
    retryAfterSec: 1,
  })

const about =
  'pg_is_in_recovery() AS vitrine_standby, ' +
  'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT) AS vitrine_now'

export const asked = `SELECT ${about}`

/** the same rows in the same order; where there are none, one that tells of the server alone */
export const attested = (text: string): string =>
  `SELECT ${about}, found.* FROM (SELECT) AS server
   LEFT JOIN (SELECT true AS vitrine_found, wanted.* FROM (${text}) AS wanted) AS found ON true`

type Asking = (text: string, values?: readonly Value[]) => Promise<Pick<QueryResult, 'rows'>>

export interface Server {
  /** throws a StandbyError where the one that answered is a standby; the rows of `attested` otherwise */
  hear(result: Pick<QueryResult, 'rows'>, askedAt: number): Row[]
  /** asks and hears: `attested`, or `asked` where nothing else is wanted */
  ask(ask: Asking, text?: string, values?: readonly Value[]): Promise<Row[]>
  /** milliseconds since 1970, by its clock */
  readonly now: () => number
  /** whether the address led to a standby lately */
  readonly isStandby: () => boolean
}

/** `mayLag`: its rows are looked at, and nobody is let in by them */
export function createServer(mayLag = false, steady = (): number => performance.now()): Server {
  let aheadMs = Date.now() - steady()
  let standbyAt: number | undefined

  function judge({ vitrine_standby: isStandby, vitrine_now: at }: Record<string, unknown>, askedAt: number) {
    const heardAt = steady()
    // it looked at its clock somewhere between the question and the answer: a late answer changes nothing that was known better
    aheadMs = Math.min(Math.max(aheadMs, Number(at) - heardAt), Number(at) - askedAt)
    if (isStandby === true && !mayLag) {
      standbyAt = heardAt
      throw new StandbyError()
    }
    if (standbyAt !== undefined && heardAt - standbyAt > settledMs) standbyAt = undefined
  }

  const hear: Server['hear'] = ({ rows }, askedAt) => {
    const all = rows as Record<string, unknown>[]
    judge(all[0] ?? {}, askedAt)
    if (all[0]?.['vitrine_found'] !== true) return []
    return all.map(({ vitrine_standby: _standby, vitrine_now: _now, vitrine_found: _found, ...row }) => row as Row)
  }

  return {
    hear,
    async ask(ask, text = asked, values) {
      const askedAt = steady()
      return hear(await ask(text, values), askedAt)
    },
    now: () => Math.floor(steady() + aheadMs),
    isStandby: () => standbyAt !== undefined,
  }
}
