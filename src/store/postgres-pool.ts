// Connections to PostgreSQL, lent to one act at a time. A dead one costs one act its time, and never more than that.
import { DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import type { Address } from './postgres-address.ts'
import { StandbyError } from './postgres-server.ts'
import type { Row, Sql, Value } from './sql.ts'

/** the server gives up on its own a little sooner, so that nothing piles up behind a lock */
export const earlierMs = 300
const connections = 10
const renewMs = 1_000

const numbered = new Map<string, string>()

/** `?` to $1, $2, … */
function numberedOf(text: string): string {
  let known = numbered.get(text)
  if (known === undefined) {
    let n = 0
    known = text.replace(/\?/g, () => `$${++n}`)
    if (numbered.size >= 500) numbered.clear()
    numbered.set(text, known)
  }
  return known
}

export type Ask = (text: string, values?: readonly Value[]) => Promise<QueryResult>

/** within a transaction */
export const sqlOver = (ask: Ask): Sql => ({
  one: async (text, values) => (await ask(text, values)).rows[0] as Row | undefined,
  all: async (text, values) => (await ask(text, values)).rows as Row[],
  run: async (text, values) => (await ask(text, values)).rowCount ?? 0,
})

export interface Lender {
  /** a connection for as long as `act` takes; given back, or thrown away where it can no longer be trusted */
  lend<T>(act: (ask: Ask) => Promise<T>, patienceMs?: number): Promise<T>
  close(): Promise<void>
}

interface Borrowed {
  readonly ask: Ask
  /** nothing was heard in time */
  hung: boolean
  broken: boolean
}

function borrow(client: PoolClient, endsMs: number): Borrowed {
  const mine: Borrowed = {
    hung: false,
    broken: false,
    async ask(text, values) {
      const query_timeout = Math.max(1, endsMs - performance.now())
      const query = values ? { text: numberedOf(text), values: [...values], query_timeout } : { text, query_timeout }
      try {
        return await client.query(query)
      } catch (error) {
        mine.hung ||= error instanceof Error && error.message === 'Query read timeout'
        mine.broken ||= !(error instanceof DatabaseError) || error.severity !== 'ERROR'
        throw error
      }
    },
  }
  return mine
}

/** the pool in use: another one takes its place where its connections can hardly be good, or would be made in another way */
function createPools(address: Address, timeoutMs: number) {
  const open = () => {
    const made = new Pool({ ...address.config(timeoutMs), max: connections })
    // a connection that the server ends is no event, whoever holds it at that moment: the next one to ask gets a new one
    made.on('connect', (client) => void client.on('error', () => undefined))
    return made.on('error', () => undefined)
  }
  let pool = open()
  let renewedMs = performance.now()
  let closed: Promise<void> | undefined
  const replace = () => {
    pool.end().catch(() => undefined)
    pool = open()
  }

  return {
    async connect(): Promise<PoolClient> {
      const tried = pool
      try {
        return await tried.connect()
      } catch (error) {
        if (closed || !(error instanceof DatabaseError)) throw error
        // somebody else may have adapted it meanwhile
        if (tried === pool && !address.adapts(error)) throw error
        if (tried === pool) replace()
        return pool.connect()
      }
    },
    /** where one connection hears nothing, its idle neighbours hardly will: each would cost somebody a whole timeout */
    renew() {
      if (closed || performance.now() - renewedMs < renewMs) return
      renewedMs = performance.now()
      replace()
    },
    close: () => (closed ??= pool.end()),
  }
}

export function createLender(address: Address, patienceMs: number): Lender {
  const pools = createPools(address, patienceMs - earlierMs)
  return {
    async lend(act, mostMs = patienceMs) {
      const endsMs = performance.now() + mostMs
      const client = await pools.connect()
      const mine = borrow(client, endsMs)
      const onError = () => (mine.broken = true)
      client.on('error', onError)
      let isStandby = false
      try {
        return await act(mine.ask)
      } catch (error) {
        // the address may lead elsewhere by now, which only new connections find out
        isStandby = error instanceof StandbyError
        throw error
      } finally {
        client.release(mine.broken || isStandby)
        client.off('error', onError)
        if (mine.hung || isStandby) pools.renew()
      }
    },
    close: pools.close,
  }
}
