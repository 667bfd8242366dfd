// The address of a PostgreSQL server, its connection settings, and error texts without its password.
import { DatabaseError, types } from 'pg'
import { messageOf } from './sql.ts'

/** three round trips of 400 ms, as authentication by password takes */
const connectingMs = 1_500
const int8: number = types.builtins.INT8
const bytea: number = types.builtins.BYTEA

function getTypeParser(oid: number, format?: string): (text: string) => unknown {
  if (oid === int8) return Number
  if (oid === bytea) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
  return types.getTypeParser(oid, format as 'text') as (text: string) => unknown
}

export type PostgresAddress = ReturnType<typeof postgresAddress>

export type ReadPassword = () => string | undefined

/** a pooler's answer to an unknown startup parameter; older ones also answer so to a wrong password */
const protocolViolation = '08P01'
const wrongPassword = new Set(['28P01', '28000', protocolViolation])

function createPassword(url: string, secrets: Set<string>, read: ReadPassword | undefined) {
  let latest = url
  return {
    url: () => latest,
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

export function postgresAddress(url: string, name: string, readPassword?: ReadPassword) {
  // an error of the URL parser would contain the password
  if (!URL.canParse(url)) throw new Error('The address of the store is not a URL.')
  const { protocol, username, password, host, pathname, searchParams } = new URL(url)
  const secrets = new Set([password, decodeURIComponent(password), ...searchParams.getAll('password')].filter(Boolean))
  const current = createPassword(url, secrets, readPassword)
  let isBare = false
  return {
    place: `${protocol}//${username && `${username}@`}${host}${pathname}`,
    words: (error: unknown) => [...secrets].reduce((text, secret) => text.replaceAll(secret, '…'), messageOf(error)),
    config: (timeoutMs: number) => ({
      connectionString: current.url(),
      fallback_application_name: name,
      connectionTimeoutMillis: connectingMs,
      // nothing piles up behind a lock; a pooler ignores both, so transactions set them too
      ...(!isBare && { statement_timeout: timeoutMs, idle_in_transaction_session_timeout: timeoutMs }),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
    }),
    adapts(error: unknown): boolean {
      if (!(error instanceof DatabaseError)) return false
      if (wrongPassword.has(error.code ?? '') && current.take()) return true
      if (isBare || error.code !== protocolViolation) return false
      isBare = true
      return true
    },
  }
}
