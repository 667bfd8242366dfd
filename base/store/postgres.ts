// The store in PostgreSQL, for replicas on several machines. Whatever server and network do, a read ends within 2 s and a
// write within 4 s, and no error contains the password.
import { Client, DatabaseError } from 'pg'
import { Problem } from '../core/problem.ts'
import { createSemaphore } from '../core/semaphore.ts'
import { awaitStore, StoreSilent } from './awaited-store.ts'
import type { OutageParts } from './outage.ts'
import { type PostgresAddress, postgresAddress } from './postgres-address.ts'
import { type Ask, createLender, earlierMs, sqlOver } from './postgres-pool.ts'
import { beginWith, openingMs, prepareSchema, versionTable } from './postgres-schema.ts'
import {
  serverQuery,
  withServerState,
  createServer,
  type Server,
  StandbyError,
  standbyProblem,
} from './postgres-server.ts'
import {
  type Database,
  type Opening,
  StoreRefusal,
  type SqlRow,
  type DatabaseSchema,
  type Sql,
  type SqlValue,
} from './sql.ts'

const standardPatienceMs = 1_600
const standardWritingMs = 3_800
const leastActMs = 1_500
const cacheMs = 500

/** cannot_connect_now, shutdowns and too_many_connections: unlike a wrong password, they pass by themselves */
const passing = /^57P0[1-3]$|^53300$/

/** without the error itself, which may contain the password */
function cannotOpen({ place, words }: PostgresAddress, error: unknown, isConnected: boolean): Error {
  const isSilent = error instanceof DatabaseError ? passing.test(error.code ?? '') : !isConnected
  const Kind = isSilent ? StoreSilent : Error
  return new Kind(`The store ${place} cannot be opened: ${words(error)}`, { cause: words(error) })
}

async function prepareServer(
  address: PostgresAddress,
  schema: DatabaseSchema,
  opening: Opening,
  server: Server,
): Promise<number> {
  const client = new Client({ ...address.config(openingMs), query_timeout: openingMs })
  client.on('error', () => undefined)
  let isConnected = false
  try {
    await client.connect()
    isConnected = true
    await server.ask((text) => client.query(text))
    return await prepareSchema(client, schema, opening)
  } catch (error) {
    if (address.adapts(error)) return await prepareServer(address, schema, opening, server)
    throw cannotOpen(address, error, isConnected)
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface Writing {
  readonly writersLock: number
  readonly server: Server
  readonly statementMs: number
  readonly idleMs: number
}

async function within<T>(
  ask: Ask,
  { server, writersLock, ...bounds }: Writing,
  act: (sql: Sql) => Promise<T>,
): Promise<T> {
  try {
    const askedAt = performance.now()
    const begun = await ask(`${beginWith(bounds)}; SELECT pg_advisory_xact_lock(${writersLock}); ${serverQuery}`)
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

/** One writer at a time in this process, so that waiting writers take no connections from readers. `restMs`: the time left. */
function createWriterQueue(patienceMs: number) {
  const queue = createSemaphore(1)
  return <T>(act: (restMs: number) => Promise<T>): Promise<T> => {
    const endsMs = performance.now() + patienceMs
    return queue(() => {
      const restMs = endsMs - performance.now()
      if (restMs < Math.min(leastActMs, patienceMs / 2)) throw new Error('others were writing all the time')
      return act(restMs)
    })
  }
}

const timedOut = new Set(['57014', '55P03'])

/** After an error, asks whether a standby answered: it refuses writes, cancels reads during recovery, and may lag behind a migration. */
async function unlessStandby<T>(ask: Ask, server: Server, asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof DatabaseError && error.severity === 'ERROR' && !timedOut.has(error.code ?? ''))
      await server.ask(ask)
    throw error
  }
}

/** whether a healthy server said this: one that starts or stops uses another severity */
const isAnswer = (error: unknown): boolean =>
  error instanceof StoreRefusal ||
  (error instanceof DatabaseError && error.severity === 'ERROR' && !timedOut.has(error.code ?? ''))

const guardedBy =
  ({ words }: PostgresAddress, outage: OutageParts) =>
  async <T>(act: () => Promise<T>): Promise<T> => {
    const ended = outage.health?.beginQuery()
    try {
      const result = await act()
      ended?.(true)
      return result
    } catch (error) {
      if (error instanceof Problem) throw error
      ended?.(isAnswer(error), words(error))
      if (error instanceof StandbyError) throw standbyProblem()
      if (error instanceof StoreRefusal) throw error
      throw new Problem('store_unavailable', { cause: words(error), retryAfterSec: 1 })
    }
  }

function sqlAlone(server: Server, lend: <T>(act: (ask: Ask) => Promise<T>) => Promise<T>): Sql {
  const read = (text: string, values?: readonly SqlValue[]): Promise<SqlRow[]> =>
    lend((ask) => unlessStandby(ask, server, server.ask(ask, withServerState(text), values)))
  return {
    one: async (text, values) => (await read(text, values))[0],
    all: read,
    run: (text, values) => lend(async (ask) => (await unlessStandby(ask, server, ask(text, values))).rowCount ?? 0),
  }
}

export async function postgresDatabase(url: string, schema: DatabaseSchema, opening: Opening = {}): Promise<Database> {
  const address = postgresAddress(url, schema.name, opening.readPassword)
  const server = createServer(opening.migrate === false)
  const prepare = () => prepareServer(address, schema, opening, server)
  const found = await (opening.awaiting ? awaitStore(prepare, opening.awaiting) : prepare())
  const patienceMs = opening.patienceMs ?? standardPatienceMs
  const writingMs = opening.patienceMs ?? standardWritingMs
  const lender = createLender(address, patienceMs)
  const inTurn = createWriterQueue(writingMs)
  const outage: OutageParts = {}
  const guarded = guardedBy(address, outage)
  const bounds = {
    server,
    writersLock: schema.writersLock,
    statementMs: writingMs - earlierMs,
    idleMs: patienceMs - earlierMs,
  }
  async function probe() {
    try {
      await lender.lend((ask) => server.ask(ask))
    } catch (error) {
      if (!isAnswer(error)) throw new Problem('store_unavailable', { cause: address.words(error) })
    }
  }
  const sql = sqlAlone(server, (act) => guarded(() => lender.lend(act)))
  return {
    ...sql,
    driver: 'postgres',
    schema,
    place: address.place,
    schemaFound: found,
    cacheMs,
    outage,
    probe,
    now: server.now,
    isStandby: server.isStandby,
    changes: () => undefined,
    transaction: (act) => guarded(() => inTurn((restMs) => lender.lend((ask) => within(ask, bounds, act), restMs))),
    scrub: () => undefined,
    // VACUUM FULL would lock out readers, and the write-ahead log keeps the old rows anyway
    compact: async () => false,
    check: async () => void (await sql.one(`SELECT version FROM ${versionTable(schema)}`)),
    close: () => lender.close(),
  }
}
