// The only code that calls the platform: GET, one pool of kept connections, one credential at a time.
// Retries, quota and caches will stand between `bind` and its callers; this file makes one call and says what came of it.
import { Pool, type Dispatcher } from 'undici'
import type { BoundGet, PlatformRead } from '../engine/port.ts'
import { malformed, Problem } from '../problem.ts'
import { readBody } from './body.ts'
import { parseExactly } from './exact-json.ts'
import { problemOfError, problemOfStatus } from './failures.ts'
import { limits } from './limits.ts'
import { createTokens, type Credential } from './token.ts'

export interface PlatformOptions {
  /** origin of the platform, fixed by the operator */
  readonly baseUrl: string
  readonly now: () => number
}

export interface Platform {
  readonly origin: string
  readonly bind: (credential: Credential) => BoundGet
  close(): Promise<void>
}

const header = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const isJson = (type: string | undefined): boolean =>
  /^application\/(json|[\w.-]+\+json)$/.test((type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '')

export function createPlatform({ baseUrl, now }: PlatformOptions): Platform {
  const origin = new URL(baseUrl).origin
  const tokens = createTokens(now)
  const pool = new Pool(origin, {
    connections: limits.connections,
    pipelining: 1,
    // one session for all callers would let one broken frame fail them together
    allowH2: false,
    connect: { timeout: limits.connectMs },
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
  })

  function send({ target, accept }: PlatformRead, token: string, signal: AbortSignal) {
    const headers = { authorization: `Bearer ${token}`, accept, 'accept-encoding': 'gzip', 'user-agent': 'vitrine' }
    return pool.request({ method: 'GET', path: target, headers, signal, headersTimeout: 0 })
  }

  async function sendSigned(read: PlatformRead, credential: Credential, signal: AbortSignal) {
    const token = await tokens.for(credential, read.target)
    const first = await send(read, token, signal)
    if (first.statusCode !== 401) return first
    // valid tokens get an occasional 401, and a fresh one answers whether this was it
    const soon = AbortSignal.any([signal, AbortSignal.timeout(limits.refusalMs)])
    await first.body.dump({ limit: limits.headerBytes, signal: soon }).catch(() => {})
    signal.throwIfAborted()
    return send(read, await tokens.for(credential, read.target, token), signal)
  }

  async function readAnswer(answer: Dispatcher.ResponseData, { given }: PlatformRead) {
    const { statusCode: status, headers, body } = answer
    const json = isJson(header(headers, 'content-type'))
    const bytes = readBody(body, header(headers, 'content-encoding'))
    if (status === 200) {
      const whole = await bytes
      if (!json) throw malformed('a success is not JSON')
      return parseExactly(whole)
    }
    // the status speaks for itself, also where its body cannot be read, or not soon
    const enough = setTimeout(() => body.destroy(), limits.refusalMs)
    const parsed = await bytes.then((whole) => (json ? parseExactly(whole) : undefined)).catch(() => undefined)
    clearTimeout(enough)
    const retryAfter = header(headers, 'retry-after')
    throw problemOfStatus({ status, retryAfter, body: parsed, given, nowMs: now() })
  }

  return {
    origin,
    bind: (credential) => async (read, signal) => {
      let answering = false
      try {
        const answer = await sendSigned(read, credential, signal)
        answering = true
        return await readAnswer(answer, read)
      } catch (error) {
        throw signal.aborted && !(error instanceof Problem) ? deadline(signal) : problemOfError(error, answering)
      }
    },
    close: () => pool.destroy(),
  }
}

/** the signal's own reason: the deadline, or a caller who has left */
const deadline = (signal: AbortSignal): Problem =>
  new Problem('upstream_timeout', { cause: signal.reason instanceof Error ? signal.reason.name : 'aborted' })
