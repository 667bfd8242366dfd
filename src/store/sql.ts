// The small port that both drivers provide: the records are written once over it. Placeholders are `?`, in both.
import type { Attended } from './outage.ts'
import type { ClaimOptions, Deed } from './records.ts'

export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

export interface Sql {
  one(text: string, values?: readonly Value[]): Promise<Row | undefined>
  all(text: string, values?: readonly Value[]): Promise<Row[]>
  /** answers how many rows were changed */
  run(text: string, values?: readonly Value[]): Promise<number>
}

export interface Database extends Sql {
  readonly driver: 'sqlite' | 'postgres'
  /** for people: which driver and where, without a password */
  readonly place: string
  /** the schema that was found at the opening; 0 where there was none */
  readonly found: number
  /** how long a record that was found may be answered again without a look; 0: until something has changed */
  readonly remembersMs: number
  /** who is told of what is taken away, and who says what may be believed; nobody at first */
  readonly attended: Attended
  /** another number after every change by anybody; undefined where that cannot be told at once */
  changes(): number | undefined
  /** one writer at a time, over all processes: what is read in here stays true until the end */
  transaction<T>(act: (sql: Sql) => Promise<T>): Promise<T>
  /** adds these to the audit beside the event loop, where `transaction` would hold it up for as long as the disk takes */
  append?(deeds: readonly Deed[]): Promise<void>
  /** what was removed shall soon be gone from the journal, too */
  scrub(): void
  /** what was removed shall be gone from the free space of the file, too; false where it may not be */
  compact(): Promise<boolean>
  /** rejects when the store cannot be read */
  check(): Promise<void>
  /** rejects where the server does not answer, asked past everybody who attends; PostgreSQL only */
  knock?(): Promise<void>
  /** milliseconds since 1970 by the clock that all who use the store share; PostgreSQL only */
  readonly now?: () => number
  /** whether the address led to a server lately that may lag behind; PostgreSQL only */
  readonly isStandby?: () => boolean
  /** makes this process the only service over it until it is closed, or rejects; SQLite only */
  claim?(options: ClaimOptions): Promise<void>
  close(): Promise<void>
}

export interface Opening {
  /** false: look only; nothing is made and nothing is brought up to date */
  readonly migrate?: boolean
  /** true: open what a copy has not finished, too */
  readonly unfinished?: boolean
  /** how long one act may take; PostgreSQL only, where it would otherwise end with the request */
  readonly patienceMs?: number
  /** the password as it is by now; PostgreSQL only */
  readonly readPassword?: (() => string | undefined) | undefined
}

/** the name among the secrets under which a copy says that it is not finished */
export const copying = 'store.copying'

export const unfinishedWords =
  'a copy into it was not finished: run `vitrine store copy` again, or drop what it holds and start anew'

/** what our own code refuses in the middle of a transaction: it reaches the caller as it is, and no driver calls it a fault */
export class Refusal extends Error {}

/** what went wrong, in words; the driver of PostgreSQL wraps several failures in one that has none */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(wordsOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** a `?` for each, in brackets */
export const marks = (count: number): string => `(${Array.from({ length: count }, () => '?').join(', ')})`
