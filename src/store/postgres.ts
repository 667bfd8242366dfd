// The store in PostgreSQL, for several processes on several machines. Whatever the server or the network does, a reader has
// an answer or a refusal within two seconds, a writer within four, and nothing that is said about it holds the password.
import { Client, DatabaseError } from 'pg'
import { Problem } from '../problem.ts'
import type { Attended } from './outage.ts'
import { storeOver } from './over.ts'
import { type Address, addressOf } from './postgres-address.ts'
import { type Ask, createLender, sqlOver } from './postgres-pool.ts'
import { prepareSchema, writersLock } from './postgres-schema.ts'
import type { Store } from './records.ts'
import { type Database, type Opening, Refusal, type Sql } from './sql.ts'

/** for connecting and asking together */
const standardPatienceMs = 1_600
/** for a schema that others are bringing up to date */
const openingMs = 15_000
/** how long a found record is remembered */
const remembersMs = 500

/** without the error itself: what it carries is not ours to vouch for */
const cannotOpen = ({ place, words }: Address, error: unknown): Error =>
  new Error(`The store ${place} cannot be opened: ${words(error)}`, { cause: words(error) })

/** on a connection of its own: it may wait longer than any request */
async function prepareServer(address: Address, opening: Opening): Promise<number> {
  const client = new Client({ ...address.config(openingMs), query_timeout: openingMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await prepareSchema(client, opening)
  } catch (error) {
    throw cannotOpen(address, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function within<T>(ask: Ask, act: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    // waiting for the lock may fail when the transaction is open already: it is ended with the others
    await ask(`BEGIN; SELECT pg_advisory_xact_lock(${writersLock})`)
    const result = await act(sqlOver(ask))
    const { command } = await ask('COMMIT')
    if (command !== 'COMMIT') throw new Error('the server did not keep the change')
    return result
  } catch (error) {
    await ask('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/**
 * One writer at a time in this process, since there is only one at a time in all: those who wait here take no connection
 * away from readers. Whoever has waited for as long as an act may take is refused.
 */
function createTurns(patienceMs: number): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const endsMs = performance.now() + patienceMs
    const mine = last.then(() => {
      if (performance.now() >= endsMs) throw new Error('others were writing all the time')
      return act()
    })
    last = mine.catch(() => undefined)
    return mine
  }
}

/** it gave up on what was asked, for want of time or of a lock: `query_canceled`, `lock_not_available` */
const gaveUp = new Set(['57014', '55P03'])

/** whether a server that is well said this: one that ends, or begins, says so with another severity */
const isAnswer = (error: unknown): boolean =>
  error instanceof Refusal ||
  (error instanceof DatabaseError && error.severity === 'ERROR' && !gaveUp.has(error.code ?? ''))

/** every failure is a refusal, in words that hold no password; whoever attends hears how the server answers */
const guardedBy =
  ({ words }: Address, attended: Attended) =>
  async <T>(act: () => Promise<T>): Promise<T> => {
    const ended = attended.vigil?.setOut()
    try {
      const result = await act()
      ended?.(true)
      return result
    } catch (error) {
      if (error instanceof Problem) throw error
      ended?.(isAnswer(error), words(error))
      if (error instanceof Refusal) throw error
      throw new Problem('store_unavailable', { cause: words(error), retryAfterSec: 1 })
    }
  }

export async function postgresDatabase(url: string, opening: Opening = {}): Promise<Database> {
  const address = addressOf(url)
  const found = await prepareServer(address, opening)
  const patienceMs = opening.patienceMs ?? standardPatienceMs
  const lender = createLender(address, patienceMs)
  const inTurn = createTurns(patienceMs)
  const attended: Attended = {}
  const guarded = guardedBy(address, attended)
  async function knock() {
    try {
      await lender.lend((ask) => ask('SELECT 1'))
    } catch (error) {
      // without the error itself, as above
      if (!isAnswer(error)) throw new Problem('store_unavailable', { cause: address.words(error) })
    }
  }
  const sql = sqlOver((text, values) => guarded(() => lender.lend((ask) => ask(text, values))))
  return {
    ...sql,
    driver: 'postgres',
    place: address.place,
    found,
    ...{ remembersMs, attended, knock },
    changes: () => undefined,
    transaction: (act) => guarded(() => inTurn(() => lender.lend((ask) => within(ask, act)))),
    scrub: () => undefined,
    // rewriting a table would lock it against readers, and the server's own journal keeps what was anyway
    compact: async () => false,
    check: async () => void (await sql.one('SELECT version FROM vitrine_schema')),
    close: () => lender.close(),
  }
}

export const openPostgres = async (url: string): Promise<Store> => storeOver(await postgresDatabase(url))
