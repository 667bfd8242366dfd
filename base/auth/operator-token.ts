// The operator tokens: one from the environment, or the lines of a file that is read again when it changes.
// No message quotes a token; it names where the token came from.
import { steadyMs } from '../core/abort.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { digestOf } from '../core/digest-and-random.ts'
import type { Observe } from '../core/events.ts'
import { Problem } from '../core/problem.ts'
import type { Product } from '../core/product.ts'
import { isStrong } from './token-strength.ts'

export interface RecognisedToken {
  readonly who: string
  /** absent: everything is allowed, as to the holder of a token */
  readonly role?: string
  readonly digest: Buffer
}

export interface ValidToken {
  readonly digest: Buffer
  /** derived from the token itself: what is sealed with it cannot be opened with the digest */
  readonly sealing: Buffer
  /** stands for people whom a provider names: their sessions hold while it is valid, and have a role */
  readonly ofProvider?: true
}

export interface OperatorTokens {
  authenticate(authorization: string | undefined): RecognisedToken
  authenticateToken(token: string): RecognisedToken
  isValid(digest: Buffer): boolean
  validTokens(): readonly ValidToken[]
  readonly isConfigured: boolean
}

export interface OperatorTokenOptions {
  readonly product: Pick<Product, 'name' | 'envPrefix'>
  readonly fixed?: string
  readonly file?: string
  readonly observe: Observe
  readonly clock?: () => number
}

const form = /^[\x21-\x7e]{22,512}$/
const wanted =
  'a token is 22 to 512 visible ASCII characters that cannot be guessed, 128 bits of chance or more. Make one with: openssl rand -hex 32'
const isToken = (text: string): boolean => form.test(text) && isStrong(text)
const mostBytes = 64 * 1024
const lookEveryMs = 1_000

const knownOf = (name: string, token: string): ValidToken => ({
  digest: digestOf(token),
  // the token is hashed, not used as key: HMAC shortens a key of more than 64 bytes to its digest
  sealing: createHmac('sha256', `${name} sealing with an operator token 1`).update(token).digest(),
})
export const whoOf = (digest: Buffer): string => `operator:${digest.toString('hex').slice(0, 8)}`

function readTokens(text: string): string[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, i) => ({ place: i + 1, token: line.trim() }))
    .filter(({ token }) => token !== '' && !token.startsWith('#'))
  const wrong = lines.find(({ token }) => !isToken(token))
  if (wrong) throw new Error(`line ${wrong.place} is not a token: ${wanted}`)
  if (lines.length === 0) throw new Error('it holds no token')
  return lines.map(({ token }) => token)
}

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file)
    return [ino, size, mtimeMs, ctimeMs].join(' ')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

/** throws an Error that says what is wrong with the file, without quoting a token */
export function readTokenFile(file: string): string[] {
  try {
    if (statSync(file).size > mostBytes) throw new Error(`it is larger than ${mostBytes} bytes`)
    return readTokens(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === undefined ? message : `it cannot be read (${code})`
    throw new Error(`operatorTokenFile (${file}): ${reason}`, { cause: error })
  }
}

function watchFile(file: string, { product, observe, clock = steadyMs }: OperatorTokenOptions): () => ValidToken[] {
  let stamp = stampOf(file)
  const read = () => readTokenFile(file).map((token) => knownOf(product.name, token))
  let known = read()
  let lookedAt = clock()
  return () => {
    if (clock() - lookedAt < lookEveryMs) return known
    lookedAt = clock()
    const latest = stampOf(file)
    if (latest === stamp) return known
    // taken before the file is read: later writes are seen at the next check
    stamp = latest
    try {
      known = read()
    } catch (error) {
      observe({ kind: 'reload_refused', reason: (error as Error).message })
    }
    return known
  }
}

function openTokens(options: OperatorTokenOptions): () => readonly ValidToken[] {
  const { product, fixed, file } = options
  const variable = `${product.envPrefix}OPERATOR_TOKEN`
  if (fixed !== undefined && file !== undefined)
    throw new Error(`${variable} and operatorTokenFile are both given: which one counts must not be a guess`)
  if (file !== undefined) return watchFile(file, options)
  if (fixed !== undefined && !isToken(fixed)) throw new Error(`${variable} is not a token: ${wanted}`)
  const known = fixed === undefined ? [] : [knownOf(product.name, fixed)]
  return () => known
}

export function createOperatorTokens(options: OperatorTokenOptions): OperatorTokens {
  const tokens = openTokens(options)
  // compares with all tokens: the time does not show which one matched
  const holds = (digest: Buffer) => tokens().filter((known) => timingSafeEqual(known.digest, digest)).length > 0
  function judge(token: string): RecognisedToken {
    const digest = digestOf(token)
    if (!holds(digest)) throw new Problem('operator_token_invalid')
    return { who: whoOf(digest), digest }
  }
  return {
    isConfigured: options.fixed !== undefined || options.file !== undefined,
    isValid: holds,
    validTokens: () => tokens(),
    authenticateToken: judge,
    authenticate(authorization) {
      if (authorization === undefined) throw new Problem('operator_token_missing')
      return judge(/^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
    },
  }
}
