// Where a PostgreSQL server is and how it is asked; and the words about it, in which a password would be a leak.
import { type ClientConfig, types } from 'pg'
import { wordsOf } from './sql.ts'

const connectingMs = 1_000

const int8: number = types.builtins.INT8
const bytea: number = types.builtins.BYTEA

/** numbers and bytes as SQLite gives them; for our connections only */
function getTypeParser(oid: number, format?: string): (text: string) => unknown {
  if (oid === int8) return Number
  if (oid === bytea) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
  return types.getTypeParser(oid, format as 'text') as (text: string) => unknown
}

export interface Address {
  /** for people */
  readonly place: string
  /** the words of an error, in which a password would be a leak */
  readonly words: (error: unknown) => string
  readonly config: (timeoutMs: number) => ClientConfig
}

export function addressOf(url: string): Address {
  // an error of the URL parser would show the whole of it
  if (!URL.canParse(url)) throw new Error('The address of the store is not a URL.')
  const { protocol, username, password, host, pathname, searchParams } = new URL(url)
  const secrets = [password, decodeURIComponent(password), ...searchParams.getAll('password')].filter(Boolean)
  return {
    place: `${protocol}//${username && `${username}@`}${host}${pathname}`,
    words: (error) => secrets.reduce((text, secret) => text.replaceAll(secret, '…'), wordsOf(error)),
    config: (timeoutMs) => ({
      connectionString: url,
      fallback_application_name: 'vitrine',
      connectionTimeoutMillis: connectingMs,
      statement_timeout: timeoutMs,
      // a server that stands still in the middle of a change must not hold the writers' lock for ever
      idle_in_transaction_session_timeout: timeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
    }),
  }
}
