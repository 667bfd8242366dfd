// Where a PostgreSQL server is and how it is asked; and the words about it, in which a password would be a leak.
import { type ClientConfig, DatabaseError, types } from 'pg'
import { wordsOf } from './sql.ts'

/** three round trips, as a password takes them, to a server that is 400 ms away */
const connectingMs = 1_500

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
  /** whether to connect once more after this error: with the password as it is by now, or as poolers want it */
  readonly adapts: (error: unknown) => boolean
}

/** undefined: it cannot be read now */
export type ReadPassword = () => string | undefined

/** of a pooler that does not know a startup parameter; older ones say so of a wrong password, too */
const protocolViolation = '08P01'
/** `invalid_password`, `invalid_authorization_specification` */
const wrongPassword = new Set(['28P01', '28000', protocolViolation])

/** the address with the password as it was read last; `secrets` hears of each */
function createPassword(url: string, secrets: Set<string>, read: ReadPassword | undefined) {
  let latest = url
  return {
    url: () => latest,
    /** whether there is another one than was used last */
    take(): boolean {
      const found = read?.()
      if (found === undefined || found === '') return false
      const whole = new URL(latest)
      whole.password = encodeURIComponent(found)
      secrets.add(found).add(whole.password)
      const isOther = whole.href !== latest
      latest = whole.href
      return isOther
    },
  }
}

export function addressOf(url: string, readPassword?: ReadPassword): Address {
  // an error of the URL parser would show the whole of it
  if (!URL.canParse(url)) throw new Error('The address of the store is not a URL.')
  const { protocol, username, password, host, pathname, searchParams } = new URL(url)
  const secrets = new Set([password, decodeURIComponent(password), ...searchParams.getAll('password')].filter(Boolean))
  const current = createPassword(url, secrets, readPassword)
  let isBare = false
  return {
    place: `${protocol}//${username && `${username}@`}${host}${pathname}`,
    words: (error) => [...secrets].reduce((text, secret) => text.replaceAll(secret, '…'), wordsOf(error)),
    config: (timeoutMs) => ({
      connectionString: current.url(),
      fallback_application_name: 'vitrine',
      connectionTimeoutMillis: connectingMs,
      // nothing piles up behind a lock; behind a pooler this holds within transactions alone, which set it themselves
      ...(!isBare && { statement_timeout: timeoutMs, idle_in_transaction_session_timeout: timeoutMs }),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
    }),
    adapts(error) {
      if (!(error instanceof DatabaseError)) return false
      if (wrongPassword.has(error.code ?? '') && current.take()) return true
      if (isBare || error.code !== protocolViolation) return false
      isBare = true
      return true
    },
  }
}
