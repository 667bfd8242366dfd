// Allows one service at a time over a PostgreSQL store, by a row that the service renews. It is a row, since a lock of a session is lost
// unnoticed with its connection, at a failover, and behind a pooler.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../../base/core/problem.ts'
import { type ClaimOptions, type Database, holderText, type Sql } from '../../../base/store/sql.ts'

/** longer than a service may take to stop, and longer than the row of a killed one stays valid */
const waitingMs = 16_000
/** by the clock of the server, after which another service may take the row */
const validMs = 15_000
/** The holder refuses work this much sooner: longer than the longest write, so that none of its writes comes after a takeover. */
const marginMs = 5_000
const renewEveryMs = 2_500
const lookEveryMs = 500

const serverNow = 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)'

export interface LeaseClock {
  /** never set, but it may stand still while the machine is suspended */
  readonly steady: () => number
  readonly now: () => number
}

const realClock: LeaseClock = { steady: () => performance.now(), now: () => Date.now() }

/** The time until which the last renewal counts, by two clocks, as each may fail: one stands still, the other can be set. */
function createTerm({ steady, now }: LeaseClock) {
  const mostMs = validMs - marginMs
  let began: { readonly steady: number; readonly now: number } | undefined
  return {
    read: () => ({ steady: steady(), now: now() }),
    begin: (at: { readonly steady: number; readonly now: number }) => void (began = at),
    end: () => void (began = undefined),
    isOn: () => began !== undefined && steady() - began.steady < mostMs && Math.abs(now() - began.now) < mostMs,
  }
}

const find = (sql: Sql) =>
  sql.one(`SELECT holder, host, process_id, since, expires_at > ${serverNow} AS is_valid FROM service_lease`)

/** undefined: the row is ours; else who has it */
const take = (db: Database, holder: string): Promise<string | undefined> =>
  db.transaction(async (sql) => {
    const found = await find(sql)
    if (found && Boolean(found['is_valid']))
      return holderText(String(found['host']), Number(found['process_id']), Number(found['since']))
    await sql.run('DELETE FROM service_lease')
    await sql.run(`INSERT INTO service_lease VALUES (?, ?, ?, ${serverNow}, ${serverNow} + ${validMs})`, [
      holder,
      hostname(),
      process.pid,
    ])
    return undefined
  })

async function takeOrWait(db: Database, holder: string, { waits, mostMs = waitingMs }: ClaimOptions) {
  const endsMs = performance.now() + mostMs
  let other = await take(db, holder)
  if (other !== undefined) waits(mostMs)
  for (; other !== undefined && performance.now() < endsMs; other = await take(db, holder)) await pause(lookEveryMs)
  if (other === undefined) return
  throw new Error(
    `The store ${db.place} is served by another service: ${other}. Stop it, or set \`store\` to another database. A killed service gives way after ${validMs / 1_000} seconds.`,
  )
}

/** Before the claim, as for commands, it changes nothing. After it, the database takes part only while the row is ours. */
export function leasedDatabase(db: Database, clock: LeaseClock = realClock): Database & { renew(): Promise<void> } {
  const holder = randomUUID()
  const term = createTerm(clock)
  let [isClaimed, isClosed] = [false, false]
  let timer: NodeJS.Timeout | undefined
  let lost = () => {}

  const isServing = () => !isClaimed || term.isOn()
  async function guarded<T>(act: () => Promise<T>): Promise<T> {
    if (!isServing()) throw new Problem('store_unavailable', { cause: 'the lease of this service has run out' })
    return act()
  }

  async function renew() {
    const at = term.read()
    const renewed = await db.run(`UPDATE service_lease SET expires_at = ${serverNow} + ${validMs} WHERE holder = ?`, [
      holder,
    ])
    if (isClosed) return
    if (renewed === 1) {
      term.begin(at)
      return
    }
    isClosed = true
    term.end()
    lost()
  }
  const repeat = () => {
    timer = setTimeout(
      () =>
        void renew()
          .catch(() => {})
          .finally(() => isClosed || repeat()),
      term.isOn() ? renewEveryMs : lookEveryMs,
    ).unref()
  }

  return {
    ...db,
    isServing,
    renew,
    async claim(options) {
      await takeOrWait(db, holder, options)
      lost = options.lost ?? lost
      isClaimed = true
      await renew()
      repeat()
    },
    one: (...given) => guarded(() => db.one(...given)),
    all: (...given) => guarded(() => db.all(...given)),
    run: (...given) => guarded(() => db.run(...given)),
    transaction: (act) => guarded(() => db.transaction(act)),
    check: () => guarded(() => db.check()),
    async close() {
      isClosed = true
      clearTimeout(timer)
      if (isClaimed) await db.run('DELETE FROM service_lease WHERE holder = ?', [holder]).catch(() => {})
      await db.close()
    },
  }
}
