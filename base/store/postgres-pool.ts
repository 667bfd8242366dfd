// Lends connections to PostgreSQL to one act at a time. A dead connection costs one act its time and no more.
import { LRUCache } from 'lru-cache'
import { DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import type { PostgresAddress } from './postgres-address.ts'
import { StandbyError } from './postgres-server.ts'
import type { SqlRow, Sql, SqlValue } from './sql.ts'

/** the server gives up this much earlier than we do, so that nothing piles up behind a lock */
export const earlierMs = 300
const connections = 10
const renewMs = 1_000

function number(text: string): string {
  let n = 0
  return text.replace(/\?/g, () => `$${++n}`)
}

const numbered = new LRUCache<string, string>({ max: 500, memoMethod: number })

export type Ask = (text: string, values?: readonly SqlValue[]) => Promise<QueryResult>

export const sqlOver = (ask: Ask): Sql => ({
  one: async (text, values) => (await ask(text, values)).rows[0] as SqlRow | undefined,
  all: async (text, values) => (await ask(text, values)).rows as SqlRow[],
  run: async (text, values) => (await ask(text, values)).rowCount ?? 0,
})

interface Borrowed {
  readonly ask: Ask
  hung: boolean
  broken: boolean
}

function borrow(client: PoolClient, endsMs: number): Borrowed {
  const mine: Borrowed = {
    hung: false,
    broken: false,
    async ask(text, values) {
      const query_timeout = Math.max(1, endsMs - performance.now())
      const query = values ? { text: numbered.memo(text), values: [...values], query_timeout } : { text, query_timeout }
      try {
        return await client.query(query)
      } catch (error) {
        const isAnswer = error instanceof DatabaseError
        // the driver's timeout has no code, and its timer may be early by a fraction of a millisecond
        mine.hung ||= !isAnswer && performance.now() > endsMs - 1
        mine.broken ||= !isAnswer || error.severity !== 'ERROR'
        throw error
      }
    },
  }
  return mine
}

/** the pool in use; replaced where its connections can hardly be good, or settings changed */
function createPools(address: PostgresAddress, timeoutMs: number) {
  const open = () => {
    const made = new Pool({ ...address.config(timeoutMs), max: connections })
    // an error event of a closed connection must not throw: the next query gets a new connection
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
        if (tried === pool && !address.adapts(error)) throw error
        if (tried === pool) replace()
        return pool.connect()
      }
    },
    /** after one hung connection: idle ones would hang as well, and cost an act its timeout each */
    renew() {
      if (closed || performance.now() - renewedMs < renewMs) return
      renewedMs = performance.now()
      replace()
    },
    close: () => (closed ??= pool.end()),
  }
}

export function createLender(address: PostgresAddress, patienceMs: number) {
  const pools = createPools(address, patienceMs - earlierMs)
  return {
    async lend<T>(act: (ask: Ask) => Promise<T>, mostMs = patienceMs): Promise<T> {
      const endsMs = performance.now() + mostMs
      const client = await pools.connect()
      const mine = borrow(client, endsMs)
      const onError = () => (mine.broken = true)
      client.on('error', onError)
      let isStandby = false
      try {
        return await act(mine.ask)
      } catch (error) {
        // the address may lead to another server now, which only new connections find out
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
