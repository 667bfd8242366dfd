// The store in PostgreSQL, for several processes on several machines. Whatever the server or the network does, a reader has
// an answer or a refusal within two seconds, a writer within four, and nothing that is said about it holds the password.
import { Client, DatabaseError } from 'pg'
import { Problem } from '../problem.ts'
import type { Attended } from './outage.ts'
import { storeOver } from './over.ts'
import { type Address, addressOf } from './postgres-address.ts'
import { type Ask, createLender, earlierMs, sqlOver } from './postgres-pool.ts'
import { begin, openingMs, prepareSchema, writersLock } from './postgres-schema.ts'
import { asked, attested, createServer, type Server, StandbyError, standbyProblem } from './postgres-server.ts'
import type { Store } from './records.ts'
import { type Database, type Opening, Refusal, type Row, type Sql, type Value } from './sql.ts'

/** for connecting and asking together */
const standardPatienceMs = 1_600
/** for a turn among the writers of this process, and eight round trips to a server that is 400 ms away */
const standardWritingMs = 3_800
/** who has waited for a turn so long that no act would fit into the rest is refused */
const leastActMs = 1_500
/** how long a found record is remembered */
const remembersMs = 500

/** without the error itself: what it carries is not ours to vouch for */
const cannotOpen = ({ place, words }: Address, error: unknown): Error =>
  new Error(`The store ${place} cannot be opened: ${words(error)}`, { cause: words(error) })

/** on a connection of its own: it may wait longer than any request */
async function prepareServer(address: Address, opening: Opening, server: Server): Promise<number> {
  const client = new Client({ ...address.config(openingMs), query_timeout: openingMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await server.ask((text) => client.query(text))
    return await prepareSchema(client, opening)
  } catch (error) {
    if (address.adapts(error)) return await prepareServer(address, opening, server)
    throw cannotOpen(address, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface Writing {
  readonly server: Server
  /** of one statement, and of a process that stands still between two, at the server */
  readonly statementMs: number
  readonly idleMs: number
}

async function within<T>(ask: Ask, { server, ...bounds }: Writing, act: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    const askedAt = performance.now()
    // waiting for the lock may fail when the transaction is open already: it is ended with the others
    const begun = await ask(`${begin(bounds)}; SELECT pg_advisory_xact_lock(${writersLock}); ${asked}`)
    const last = [begun].flat().at(-1)
    if (last) server.hear(last, askedAt)
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
 * away from readers. `act` is given what is left of the time.
 */
function createTurns(patienceMs: number): <T>(act: (restMs: number) => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const endsMs = performance.now() + patienceMs
    const mine = last.then(() => {
      const restMs = endsMs - performance.now()
      if (restMs < Math.min(leastActMs, patienceMs / 2)) throw new Error('others were writing all the time')
      return act(restMs)
    })
    last = mine.catch(() => undefined)
    return mine
  }
}

/** it gave up on what was asked, for want of time or of a lock: `query_canceled`, `lock_not_available` */
const gaveUp = new Set(['57014', '55P03'])

/**
 * What fails may fail because a standby was asked: it takes no writes, it cancels reads that its recovery runs into, and one that
 * lags behind a migration has other tables.
 */
async function unlessStandby<T>(ask: Ask, server: Server, asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof DatabaseError && error.severity === 'ERROR' && !gaveUp.has(error.code ?? ''))
      await server.ask(ask)
    throw error
  }
}

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
      if (error instanceof StandbyError) throw standbyProblem()
      if (error instanceof Refusal) throw error
      throw new Problem('store_unavailable', { cause: words(error), retryAfterSec: 1 })
    }
  }

/** reads that the primary has answered, and single statements */
function sqlAlone(server: Server, lend: <T>(act: (ask: Ask) => Promise<T>) => Promise<T>): Sql {
  const read = (text: string, values?: readonly Value[]): Promise<Row[]> =>
    lend((ask) => unlessStandby(ask, server, server.ask(ask, attested(text), values)))
  return {
    one: async (text, values) => (await read(text, values))[0],
    all: read,
    run: (text, values) => lend(async (ask) => (await unlessStandby(ask, server, ask(text, values))).rowCount ?? 0),
  }
}

export async function postgresDatabase(url: string, opening: Opening = {}): Promise<Database> {
  const address = addressOf(url, opening.readPassword)
  const server = createServer(opening.migrate === false)
  const found = await prepareServer(address, opening, server)
  const patienceMs = opening.patienceMs ?? standardPatienceMs
  const writingMs = opening.patienceMs ?? standardWritingMs
  const lender = createLender(address, patienceMs)
  const inTurn = createTurns(writingMs)
  const attended: Attended = {}
  const guarded = guardedBy(address, attended)
  const bounds = { server, statementMs: writingMs - earlierMs, idleMs: patienceMs - earlierMs }
  async function knock() {
    try {
      await lender.lend((ask) => server.ask(ask))
    } catch (error) {
      // without the error itself, as above
      if (!isAnswer(error)) throw new Problem('store_unavailable', { cause: address.words(error) })
    }
  }
  const sql = sqlAlone(server, (act) => guarded(() => lender.lend(act)))
  return {
    ...sql,
    driver: 'postgres',
    place: address.place,
    found,
    ...{ remembersMs, attended, knock, now: server.now, isStandby: server.isStandby },
    changes: () => undefined,
    transaction: (act) => guarded(() => inTurn((restMs) => lender.lend((ask) => within(ask, bounds, act), restMs))),
    scrub: () => undefined,
    // rewriting a table would lock it against readers, and the server's own journal keeps what was anyway
    compact: async () => false,
    check: async () => void (await sql.one('SELECT version FROM vitrine_schema')),
    close: () => lender.close(),
  }
}

export const openPostgres = async (url: string): Promise<Store> => storeOver(await postgresDatabase(url))
