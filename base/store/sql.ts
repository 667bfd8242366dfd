// The port that both database drivers implement. Placeholders are `?` in both.
import type { Awaiting } from './awaited-store.ts'
import type { OutageParts } from './outage.ts'
import type { AuditEntry } from '../core/audit.ts'

export type SqlValue = string | number | null | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

export interface Sql {
  one(text: string, values?: readonly SqlValue[]): Promise<SqlRow | undefined>
  all(text: string, values?: readonly SqlValue[]): Promise<SqlRow[]>
  run(text: string, values?: readonly SqlValue[]): Promise<number>
}

export interface ClaimOptions {
  readonly waits: (mostMs: number) => void
  readonly mostMs?: number
  /** another service has taken the store after all: this process must not go on */
  readonly lost?: () => void
}

/** names the service that has a store, for the error of the one that is refused */
export const holderText = (host: string, processId: number, since: number): string =>
  `process ${processId} on ${host}, since ${new Date(since).toISOString()}`

export interface Database extends Sql {
  readonly driver: 'sqlite' | 'postgres'
  readonly schema: DatabaseSchema
  readonly place: string
  readonly schemaFound: number
  /** how long a record may be cached without a query; 0: until something changes */
  readonly cacheMs: number
  readonly outage: OutageParts
  changes(): number | undefined
  /** one writer at a time over all processes: what it reads stays true until its end */
  transaction<T>(act: (sql: Sql) => Promise<T>): Promise<T>
  /** appends to the audit log off the event loop, where the disk may be slow */
  append?(entries: readonly AuditEntry[]): Promise<void>
  scrub(): void
  /** removes deleted rows from free space in the file, too; false where that was not possible */
  compact(): Promise<boolean>
  check(): Promise<void>
  /** rejects while the server does not answer, whatever the database's health says; PostgreSQL only */
  probe?(): Promise<void>
  /** milliseconds since 1970 by the database's clock; PostgreSQL only */
  readonly now?: () => number
  readonly isStandby?: () => boolean
  /** makes this process the only service over the store, or rejects; absent if services may share it */
  readonly claim?: (options: ClaimOptions) => Promise<void>
  /** false: the claim cannot be relied on at the moment, so nothing may be reported */
  readonly isServing?: () => boolean
  close(): Promise<void>
}

export interface Migration {
  readonly sqlite: string
  readonly postgres: string
}

export interface DatabaseSchema {
  /** of the service, as commands and tables spell it */
  readonly name: string
  readonly title: string
  readonly migrations: readonly Migration[]
  /** the number of the writers' advisory lock, unused by other programs */
  readonly writersLock: number
}

export function refuseNewer(version: number, { title, migrations }: DatabaseSchema): void {
  if (version > migrations.length)
    throw new Error(
      `it has schema ${version}, and this version of ${title} knows ${migrations.length}: use a newer one`,
    )
}

function refuseOther({ place, schema, schemaFound: found }: Database): void {
  const { title, migrations } = schema
  if (found === migrations.length) return
  const reason =
    found === 0
      ? 'it is empty, and the first start of the service makes its tables'
      : `it has schema ${found}, which is older than the ${migrations.length} of this version of ${title}. The next start of the service migrates it; until then use the version that runs`
  if (found < migrations.length) throw new Error(`The store ${place} cannot be read: ${reason}.`)
  throw new Error(
    `The store ${place} cannot be read: it has schema ${found}, and this version of ${title} knows ${migrations.length}: use a newer one.`,
  )
}

/** for commands that read rows and change nothing: closes and refuses a store of another schema */
export async function withKnownSchema(db: Database): Promise<Database> {
  try {
    refuseOther(db)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

export interface Opening {
  /** false: only look; nothing is created or migrated */
  readonly migrate?: boolean
  readonly unfinished?: boolean
  readonly patienceMs?: number
  readonly readPassword?: (() => string | undefined) | undefined
  /** a server that cannot be reached yet is tried again for a minute; absent: it fails at once */
  readonly awaiting?: Awaiting | undefined
}

export const copyMark = 'store.copying'

export const unfinishedCopy = ({ name }: DatabaseSchema): string =>
  `a copy into it was not finished: run \`${name} store copy\` again, or drop what it holds and start anew`

/** a refusal by our own code within a transaction: the caller gets it unchanged */
export class StoreRefusal extends Error {}

/** PostgreSQL's driver wraps several failures in an error without a message */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Rows of a table whose columns are named for the members of its records: `key_id` is `keyId`. */
export function rowsOf<R extends object>(columns: readonly string[]) {
  const members = columns.map((column) => column.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase()))
  return {
    valuesOf: (record: R) => members.map((member) => record[member as keyof R] as SqlValue),
    recordOf: (row: SqlRow) => Object.fromEntries(members.map((member, at) => [member, row[columns[at] ?? '']])) as R,
  }
}

export const placeholders = (count: number): string => `(${Array.from({ length: count }, () => '?').join(', ')})`
