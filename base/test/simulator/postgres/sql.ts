// The SQL of PostgreSQL that products use, for SQLite: few texts differ, and each that does is here. What is not known is refused
// by name.

const changes: readonly (readonly [from: RegExp, to: string])[] = [
  [/\$(\d+)/g, '?$1'],
  // SQLite takes no type from a column behind a plus
  [/(\+\w+ [<>]=?) (\?\d+)/g, '$1 CAST($2 AS INTEGER)'],
  [/CAST\(floor\(extract\(epoch FROM clock_timestamp\(\)\) \* 1000\) AS BIGINT\)/g, 'server_now()'],
  [
    / FROM pg_class WHERE relname = (\S+) AND relkind = 'r' AND pg_table_is_visible\(oid\)/g,
    " FROM sqlite_master WHERE name = $1 AND type = 'table'",
  ],
]

const functions = new Set('server_now pg_is_in_recovery count min max sum substr length coalesce cast'.split(' '))
const unknown = /\bpg_(?!is_in_recovery\b)\w+|::|\bcollate\b|\bilike\b|\breturning\b|\bfor update\b/i

/** SQL that SQLite understands as PostgreSQL would understand the text */
export function translate(text: string): string {
  const translated = changes.reduce((sql, [from, to]) => sql.replaceAll(from, to), text)
  const bare = translated.replaceAll(/'(?:[^']|'')*'|\bWITH RECURSIVE \w+/g, "''")
  const called = [...bare.matchAll(/([a-z_]\w*)\(/gi)].map(([, name = '']) => name.toLowerCase())
  const odd = called.find((name) => !functions.has(name)) ?? unknown.exec(bare)?.[0]
  if (odd !== undefined) throw new Error(`${odd} is not known here: ${text}`)
  return translated
}

/** a query that asks for the state of the server along with its rows, as `withServerState` writes it */
const withState =
  /^SELECT (.+), found\.\* FROM \(SELECT\) AS server\s+LEFT JOIN \(SELECT true AS server_found, wanted\.\* FROM \(([\s\S]*)\) AS wanted\) AS found ON true$/

export interface StateQuery {
  readonly state: string
  readonly wanted: string
}

export function stateQueryOf(text: string): StateQuery | undefined {
  const [, state, wanted] = withState.exec(text) ?? []
  return state === undefined || wanted === undefined ? undefined : { state: `SELECT ${state}`, wanted }
}

/** the name that PostgreSQL gives to a column without one */
export const columnName = (name: string): string =>
  /^\w+$/.test(name) && !/^\d/.test(name) ? name : (/^(\w+)\(/.exec(name)?.[1]?.toLowerCase() ?? '?column?')

const codes: readonly (readonly [errcode: number, code: string])[] = [
  [1555, '23505'],
  [2067, '23505'],
  [1299, '23502'],
  [275, '23514'],
  [1811, 'P0001'],
]

/** the code of PostgreSQL for an error of SQLite; undefined where it is no error of the statement */
export function codeOf({ errcode, message }: { readonly errcode?: number; readonly message: string }) {
  if (message.startsWith('no such table')) return '42P01'
  if (message.startsWith('no such column')) return '42703'
  return codes.find(([one]) => one === errcode)?.[1]
}
