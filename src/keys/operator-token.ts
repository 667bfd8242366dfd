// Tokens of the operator's door: one from the surroundings, or the lines of a file that is read again when it changes.
// No message says anything of a token: what is wrong is told by the place it came from.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import { isStrong } from './token-strength.ts'

export interface Recognised {
  readonly who: string
  /** of the token: what `holds` is asked with later */
  readonly digest: Buffer
}

/** a token that is valid now, without itself */
export interface KnownToken {
  readonly digest: Buffer
  /** what only who has the token can know: what is sealed with it opens to nobody who has the digest */
  readonly sealing: Buffer
}

export interface OperatorTokens {
  /** who holds the token of this field, or a Problem */
  recognise(authorization: string | undefined): Recognised
  /** the same, of a token alone */
  judge(token: string): Recognised
  /** whether the token that was recognised is one of the valid ones still */
  holds(digest: Buffer): boolean
  /** all that are valid now */
  known(): readonly KnownToken[]
  /** false: there is no token that could open the door */
  readonly given: boolean
}

export interface OperatorTokenOptions {
  readonly fixed?: string
  readonly file?: string
  readonly observe: Observe
  /** milliseconds that only grow */
  readonly clock?: () => number
}

const form = /^[\x21-\x7e]{22,512}$/
const wanted =
  'a token is 22 to 512 visible ASCII characters that cannot be guessed, 128 bits of chance or more. Make one with: openssl rand -hex 32'
const isToken = (text: string): boolean => form.test(text) && isStrong(text)
const mostBytes = 64 * 1024
const lookEveryMs = 1_000

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const knownOf = (token: string): KnownToken => ({
  digest: digestOf(token),
  // the token is what is hashed and not the key: of a key of more than 64 bytes HMAC takes no more than its digest
  sealing: createHmac('sha256', 'vitrine sealing with an operator token 1').update(token).digest(),
})
/** what the audit calls who holds it */
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

/** all that are valid; throws an Error that says what is wrong with the file, and nothing of a token */
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

/** the tokens that the file holds now, or held when it was last whole */
function watchFile(
  file: string,
  { observe, clock = () => performance.now() }: OperatorTokenOptions,
): () => KnownToken[] {
  let stamp = stampOf(file)
  const read = () => readTokenFile(file).map(knownOf)
  let known = read()
  let lookedAt = clock()
  return () => {
    if (clock() - lookedAt < lookEveryMs) return known
    lookedAt = clock()
    const latest = stampOf(file)
    if (latest === stamp) return known
    // taken before the reading: what is written meanwhile is seen at the next look
    stamp = latest
    try {
      known = read()
    } catch (error) {
      observe({ kind: 'reload_refused', reason: (error as Error).message })
    }
    return known
  }
}

function openTokens(options: OperatorTokenOptions): () => readonly KnownToken[] {
  const { fixed, file } = options
  if (fixed !== undefined && file !== undefined)
    throw new Error('VITRINE_OPERATOR_TOKEN and operatorTokenFile are both given: which one counts must not be a guess')
  if (file !== undefined) return watchFile(file, options)
  if (fixed !== undefined && !isToken(fixed)) throw new Error(`VITRINE_OPERATOR_TOKEN is not a token: ${wanted}`)
  const known = fixed === undefined ? [] : [knownOf(fixed)]
  return () => known
}

export function createOperatorTokens(options: OperatorTokenOptions): OperatorTokens {
  const tokens = openTokens(options)
  // all of them, also behind the one that is right: the time says nothing of their order
  const holds = (digest: Buffer) => tokens().filter((known) => timingSafeEqual(known.digest, digest)).length > 0
  function judge(token: string): Recognised {
    const digest = digestOf(token)
    if (!holds(digest)) throw new Problem('operator_token_invalid')
    return { who: whoOf(digest), digest }
  }
  return {
    given: options.fixed !== undefined || options.file !== undefined,
    holds,
    known: () => tokens(),
    judge,
    recognise(authorization) {
      if (authorization === undefined) throw new Problem('operator_token_missing')
      return judge(/^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
    },
  }
}
