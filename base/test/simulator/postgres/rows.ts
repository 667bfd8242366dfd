// One copy of a database's rows, in SQLite: statements are run at once, and whole transactions of another copy are repeated.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Cell, Column, ColumnType, PostgresValue } from './messages.ts'
import { codeOf, columnName, type StateQuery, stateQueryOf, translate } from './sql.ts'

export class PostgresError extends Error {
  readonly code: string
  readonly severity: 'ERROR' | 'FATAL'

  constructor(code: string, message: string, severity: 'ERROR' | 'FATAL' = 'ERROR') {
    super(message)
    this.code = code
    this.severity = severity
  }
}

export interface Statement {
  readonly text: string
  readonly values: readonly PostgresValue[]
  /** by the server's clock */
  readonly at: number
}

/** the writing statements of a transaction */
export type Entry = readonly Statement[]

export interface Answer {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  readonly tag: string
}

export interface RowsOptions {
  /** of a database to begin with */
  readonly image?: Uint8Array | undefined
  /** PostgreSQL's texts that are others in SQLite: steps of a schema */
  readonly texts: ReadonlyMap<string, string>
  readonly isStandby: () => boolean
}

interface Prepared {
  readonly statement: StatementSync
  readonly columns: readonly { readonly name: string; readonly type: string | null }[]
}

const types: Readonly<Record<string, ColumnType>> = { INTEGER: 'int8', TEXT: 'text', BLOB: 'bytea' }
/** expressions that SQLite counts as numbers */
const booleans = new Set(['pg_is_in_recovery', 'server_standby'])

function typeOf(name: string, declared: string | null, cell: Cell | undefined): ColumnType {
  if (booleans.has(name)) return 'bool'
  if (declared !== null) return types[declared] ?? 'text'
  if (cell instanceof Uint8Array) return 'bytea'
  return typeof cell === 'number' ? 'int8' : 'text'
}

export const isWriting = (text: string): boolean => /^\s*(INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\b/.test(text)

export class Rows {
  readonly #database = new DatabaseSync(':memory:')
  readonly #prepared = new Map<string, Prepared>()
  readonly #texts: ReadonlyMap<string, string>
  #at = 0

  constructor({ image, texts, isStandby }: RowsOptions) {
    if (image) this.#database.deserialize(image)
    this.#texts = texts
    this.#database.function('server_now', () => this.#at)
    this.#database.function('pg_is_in_recovery', () => (isStandby() ? 1 : 0))
  }

  image(): Uint8Array {
    return this.#database.serialize()
  }

  close() {
    this.#database.close()
  }

  begin() {
    this.#database.exec('BEGIN')
  }

  end(isKept: boolean) {
    this.#database.exec(isKept ? 'COMMIT' : 'ROLLBACK')
  }

  /** does what another copy did */
  apply(entry: Entry) {
    this.begin()
    for (const statement of entry) this.run(statement)
    this.end(true)
  }

  run({ text, values, at }: Statement): Answer {
    this.#at = at
    const state = stateQueryOf(text)
    try {
      return state ? this.#withState(state, values) : this.#run(text, values)
    } catch (error) {
      const code = codeOf(error as Error)
      throw code === undefined ? error : new PostgresError(code, (error as Error).message)
    }
  }

  #withState({ state, wanted }: StateQuery, values: readonly PostgresValue[]): Answer {
    const [server, found] = [this.#run(state, []), this.#run(wanted, values)]
    const columns = [...server.columns, { name: 'server_found', type: 'bool' } as const, ...found.columns]
    const [now = []] = server.rows
    const none = [...now, null, ...found.columns.map(() => null)]
    const rows = found.rows.length > 0 ? found.rows.map((row) => [...now, true, ...row]) : [none]
    return { columns, rows, tag: `SELECT ${rows.length}` }
  }

  #run(text: string, values: readonly PostgresValue[]): Answer {
    const other = this.#texts.get(text)
    if (other !== undefined || /^(CREATE|ALTER|DROP)/.test(text)) {
      this.#database.exec(other ?? translate(text))
      // its columns may be others now
      this.#prepared.clear()
      return { columns: [], rows: [], tag: text.split(' ', 2).join(' ') }
    }
    const { statement, columns } = this.#prepare(text)
    const given = values as readonly SQLInputValue[]
    if (isWriting(text)) {
      const { changes } = statement.run(...given)
      const verb = text.trimStart().slice(0, 6)
      return { columns: [], rows: [], tag: `${verb}${verb === 'INSERT' ? ' 0' : ''} ${changes}` }
    }
    const found = statement.all(...given) as unknown as Cell[][]
    const typed = columns.map(({ name, type }, i) => ({
      name,
      type: typeOf(name, type, found.find((row) => row[i] !== null)?.[i]),
    }))
    const isBool = typed.map(({ type }) => type === 'bool')
    const rows = isBool.includes(true)
      ? found.map((row) => row.map((cell, i) => (isBool[i] && cell !== null ? cell === 1 : cell)))
      : found
    return { columns: typed, rows, tag: `SELECT ${rows.length}` }
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text)
    if (known) return known
    const statement = this.#database.prepare(translate(text))
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name, type }) => ({ name: columnName(name), type }))
    const prepared = { statement, columns }
    this.#prepared.set(text, prepared)
    return prepared
  }
}
