// The store inside: the product's rows over SQLite in memory, which outlives the processes that use it. A call takes time before it
// acts and before it is answered, so that a process may end between the two; it may be refused, or act and answer an error.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Sql, SqlRow, SqlValue } from '../../../../base/store/sql.ts'
import { sqlOn } from '../../../../base/store/sqlite-statements.ts'
import type { Random } from '../../../../base/test/simulator/random.ts'
import { Problem } from '../../../src/problems.ts'
import { schema } from '../../../src/store/migrations.ts'

function emptyStore(): Uint8Array {
  const db = new DatabaseSync(':memory:')
  for (const { sqlite } of schema.migrations) db.exec(sqlite)
  return db.serialize()
}

const empty = emptyStore()

export class SimulatedStore {
  readonly #db = new DatabaseSync(':memory:')
  readonly #sql: Sql
  readonly #random: Random
  readonly #wrote: () => void
  readonly #looks = new Map<string, StatementSync>()
  /** changes, and calls that were refused, so far */
  writes = 0
  refused = 0
  /** the time of a call, before and after it acts; 0: none, as of a file */
  slowMs: number
  /** probabilities: nothing is done; it is done, and the answer is an error */
  refuses = 0
  denies = 0

  constructor(random: Random, slowMs: number, wrote: () => void) {
    this.#wrote = wrote
    this.#random = random
    this.slowMs = slowMs
    this.#db.deserialize(empty)
    this.#sql = sqlOn(this.#db)
  }

  /** for oracles: at once */
  look(text: string, ...values: readonly SqlValue[]): SqlRow[] {
    const statement = this.#looks.get(text) ?? this.#db.prepare(text)
    this.#looks.set(text, statement)
    return statement.all(...values) as SqlRow[]
  }

  close() {
    this.#db.close()
  }

  async #pass(fails: () => number): Promise<boolean> {
    if (this.slowMs > 0) await pause(this.#random.between(0, this.slowMs))
    return !this.#random.chance(fails())
  }

  async #call<T>(act: () => Promise<T>): Promise<T> {
    if (!(await this.#pass(() => this.refuses))) {
      this.refused++
      throw new Problem('store_unavailable')
    }
    const result = await act()
    if (!(await this.#pass(() => this.denies))) throw new Problem('store_unavailable')
    return result
  }

  async #within<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    this.#db.exec('BEGIN')
    try {
      const result = await act(this.#sql)
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
  }

  /** for one process; its transactions end in the event in which they begin */
  open(): Database {
    let last: Promise<unknown> = Promise.resolve()
    const alone = <T>(act: () => Promise<T>): Promise<T> => {
      this.writes++
      this.#wrote()
      const mine = last.then(act)
      last = mine.catch(() => {})
      return mine
    }
    return {
      driver: 'sqlite',
      schema,
      place: 'memory',
      schemaFound: schema.migrations.length,
      cacheMs: 0,
      outage: {},
      changes: () => undefined,
      one: (...given) => this.#call(() => this.#sql.one(...given)),
      all: (...given) => this.#call(() => this.#sql.all(...given)),
      run: (...given) => this.#call(() => alone(() => this.#sql.run(...given))),
      transaction: (act) => this.#call(() => alone(() => this.#within(act))),
      scrub() {},
      compact: async () => true,
      check: () => this.#call(async () => {}),
      close: async () => {},
    }
  }
}
