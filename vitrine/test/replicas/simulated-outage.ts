// A database, a Redis and processes between them, as a model in fake time: every message takes its time and may be lost, every
// wire may be cut or frozen, and Redis may forget. The parts that decide are the real ones. Long: a world has many parts.
import { createRevocationMark } from '../../src/replicas/revocation-mark.ts'
import { createDatabaseHealth } from '../../src/replicas/database-health.ts'
import { createRecentCache } from '../../../base/store/record-cache.ts'
import type { AuditEntry } from '../../../base/core/audit.ts'
import type { Database, Sql } from '../../../base/store/sql.ts'
import { revokingWrite } from '../../src/store/revoking-write.ts'

export interface Row {
  readonly id: string
  readonly isTaken: boolean
}

type Wire = 'whole' | 'cut' | 'frozen'

export interface Acknowledged {
  readonly id: string
  readonly at: number
}

export interface Believed {
  readonly id: string
  /** when it was asked for */
  readonly at: number
  readonly isTaken: boolean
  readonly isAway: boolean
}

/** the same numbers for the same seed */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }
}

const after = (ms: number) => new Promise<void>((ok) => setTimeout(ok, ms))
const deed = {} as AuditEntry
/** the timeouts of both clients */
const [redisPatienceMs, storePatienceMs] = [50, 1_800]

export function makeWorld(random: () => number, now: () => number) {
  const rows = new Map<string, Row>()
  const redis = { run: 1, marks: 1, mark: 'm0' as string | undefined, before: 'm0' }
  const acknowledged: Acknowledged[] = []
  const found: Believed[] = []
  const seen = { refused: 0, untold: 0, failed: 0 }
  /** mostly quick, sometimes slow */
  const some = (quick: number, slow: number) => random() * (random() < 0.15 ? slow : quick)

  /** `act` is done at the other end, unless the message is lost; answers as if nothing was heard where its answer is */
  async function carried<T>(wire: () => Wire, act: () => T, patienceMs: number): Promise<T | undefined> {
    const carry = async () => {
      await after(some(8, 0.6 * patienceMs))
      if (wire() === 'cut') return undefined
      // a frozen wire delivers once it is unfrozen
      while (wire() === 'frozen') await after(20)
      const result = act()
      await after(some(8, 0.6 * patienceMs))
      return wire() === 'whole' ? result : undefined
    }
    return Promise.race([carry(), after(patienceMs).then(() => undefined)])
  }

  function makeProcess() {
    const wires = { redis: 'whole' as Wire, store: 'whole' as Wire }
    const toRedis = <T>(act: () => T) => carried(() => wires.redis, act, redisPatienceMs)
    async function ask<T>(act: () => T): Promise<T> {
      const done = await carried(
        () => wires.store,
        () => ({ result: act() }),
        storePatienceMs,
      )
      if (!done) throw new Error('not heard')
      return done.result
    }
    const board = {
      read: (fresh: string) => toRedis(() => `${redis.run} ${(redis.mark ??= fresh)}`),
      replace: async (fresh: string) =>
        (await toRedis(() => {
          redis.before = redis.mark ?? fresh
          redis.mark = fresh
          return true
        })) === true,
      relay: async () => undefined,
    }
    const parts = { boundMs: 300_000, observe: () => undefined, now, steady: now }
    const mark = createRevocationMark({ ...parts, store: board })
    const knock = async () => void (await ask(() => 1))
    const health = createDatabaseHealth({ ...parts, probe: knock, revocations: mark, place: 'model' })
    async function look(id: string) {
      const ended = health.beginQuery()
      try {
        const row = await ask(() => rows.get(id))
        ended(true)
        return row
      } catch (error) {
        ended(false, 'not heard')
        throw error
      }
    }
    const recent = createRecentCache(look, { ms: 500, now, health: () => health })

    /** the server commits, or not, and is heard, or not */
    async function transaction<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
      await ask(() => 1)
      const result = await act({ run: async () => 1, one: async () => undefined, all: async () => [] })
      const id = ids.get(act)
      if (random() < 0.05) throw new Error('rolled back')
      await ask(() => id !== undefined && rows.set(id, { id, isTaken: true }))
      return result
    }
    const ids = new WeakMap<object, string>()
    const db = { outage: { revocations: mark }, transaction } as unknown as Database

    async function take(id: string) {
      const own = { ...db, transaction: (act: (sql: Sql) => Promise<boolean>) => (ids.set(act, id), transaction(act)) }
      try {
        // whose line is in the audit does not matter here
        await revokingWrite(own as Database, deed, async () => false)
        if (mark.unpublishedUntil() === undefined) acknowledged.push({ id, at: now() })
        else seen.untold++
      } catch {
        seen.failed++
      } finally {
        recent.forget(id)
      }
    }

    async function find(id: string) {
      const at = now()
      try {
        const row = await recent.find(id)
        if (row) found.push({ id, at, isTaken: row.isTaken, isAway: health.isDown() })
      } catch {
        seen.refused++
      }
    }
    function close() {
      health.close()
      // what is still under way ends: its clock stands still from now on
      wires.store = wires.redis = 'whole'
    }
    return { wires, take, find, read: mark.read, close }
  }

  return {
    rows,
    acknowledged,
    found,
    seen,
    makeProcess,
    /** it forgets, or is another server, which may have an older mark */
    loseRedis() {
      redis.run++
      redis.mark = random() < 0.5 ? undefined : redis.before
    },
  }
}
