// What the statements of one session do: transactions, their settings and locks, and the rows.
import type { PostgresValue } from './messages.ts'
import { type Answer, type Entry, isWriting, PostgresError, type Rows, type Statement } from './rows.ts'
import type { Turns } from './turns.ts'

/** what statements have of their server */
export interface StatementHost {
  readonly turns: Turns<Statements>
  /** what is committed */
  readonly rows: Rows
  /** with what the one session that writes has changed */
  readonly changed: Rows
  readonly version: number
  readonly isReadOnly: boolean
  now(): number
  isStandby(): boolean
  committed(entry: Entry): void
}

interface Transaction {
  readonly entry: Statement[]
  readonly isReadOnly: boolean
  readonly settings: Map<string, string>
  isFailed: boolean
}

const lockText = /^SELECT pg_advisory_xact_lock\((\$1|\d+)\)$/
const settingText = /^SET LOCAL (statement_timeout|idle_in_transaction_session_timeout) = (\d+)$/
const noAnswer = (tag: string): Answer => ({ columns: [], rows: [], tag })
const oneCell = (name: string, cell: string | null): Answer => ({
  columns: [{ name, type: 'text' }],
  rows: [[cell]],
  tag: 'SELECT 1',
})

export class Statements {
  readonly #host: StatementHost
  #transaction: Transaction | undefined
  /** of the session */
  settings: ReadonlyMap<string, string> = new Map()

  constructor(host: StatementHost) {
    this.#host = host
  }

  /** idle, in a transaction, or in one that failed */
  get status(): 'I' | 'T' | 'E' {
    if (!this.#transaction) return 'I'
    return this.#transaction.isFailed ? 'E' : 'T'
  }

  setting(name: string): number {
    return Number(this.#transaction?.settings.get(name) ?? this.settings.get(name) ?? 0)
  }

  /** what a statement needs that one session has at a time */
  turnFor(text: string, values: readonly PostgresValue[]): string | undefined {
    if (this.#transaction?.isFailed) return undefined
    const lock = lockText.exec(text)?.[1]
    if (lock !== undefined) return `lock ${lock === '$1' ? String(values[0]) : lock}`
    return isWriting(text) && !this.#isReadOnly ? 'rows' : undefined
  }

  get cannotWrite(): boolean {
    return this.#host.isStandby() || this.#host.isReadOnly
  }

  /** a transaction stays what it was when it began */
  get #isReadOnly(): boolean {
    return this.#transaction?.isReadOnly ?? this.cannotWrite
  }

  run(text: string, values: readonly PostgresValue[]): Answer {
    const { rows, changed, version } = this.#host
    if (text === 'COMMIT' || text === 'ROLLBACK') return this.#endTransaction(text === 'COMMIT')
    if (this.#transaction?.isFailed) throw new PostgresError('25P02', 'current transaction is aborted')
    if (text === 'BEGIN') {
      this.#transaction ??= { entry: [], isReadOnly: this.cannotWrite, settings: new Map(), isFailed: false }
      return noAnswer('BEGIN')
    }
    const [, setting, value = ''] = settingText.exec(text) ?? []
    if (setting !== undefined) {
      this.#transaction?.settings.set(setting, value)
      return noAnswer('SET')
    }
    if (lockText.test(text)) return oneCell('pg_advisory_xact_lock', '')
    if (text === 'SHOW server_version_num') return { ...oneCell('server_version_num', String(version)), tag: 'SHOW' }
    const statement = { text, values, at: this.#host.now() }
    if (isWriting(text)) return this.#write(statement)
    return (this.#transaction?.entry.length ? changed : rows).run(statement)
  }

  #write(statement: Statement): Answer {
    const verb = statement.text.trimStart().split(/\s/, 1)[0]
    if (this.#isReadOnly) throw new PostgresError('25006', `cannot execute ${verb} in a read-only transaction`)
    const { changed } = this.#host
    const entry = this.#transaction?.entry ?? []
    if (entry.length === 0) changed.begin()
    entry.push(statement)
    if (this.#transaction) return changed.run(statement)
    let isKept = false
    try {
      const answer = changed.run(statement)
      isKept = true
      return answer
    } finally {
      this.#keep(entry, isKept)
    }
  }

  #keep(entry: Entry, isKept: boolean) {
    if (entry.length > 0) this.#host.changed.end(isKept)
    if (entry.length > 0 && isKept) this.#host.committed(entry)
    this.#host.turns.leave(this)
  }

  #endTransaction(commits: boolean): Answer {
    const isKept = commits && this.#transaction?.isFailed !== true
    this.finish(isKept)
    return noAnswer(isKept ? 'COMMIT' : 'ROLLBACK')
  }

  /** ends the transaction, if there is one */
  finish(isKept: boolean) {
    const entry = this.#transaction?.entry ?? []
    this.#transaction = undefined
    this.#keep(entry, isKept)
  }

  failed() {
    if (this.#transaction) this.#transaction.isFailed = true
  }
}
