// One GET, signed, from the first byte to the parsed document. What it came to is a document or a Failure.
import type { Dispatcher, Pool } from 'undici'
import type { PlatformRead } from '../engine/port.ts'
import { malformed } from '../problem.ts'
import { readBody } from './body.ts'
import { parseExactly } from './exact-json.ts'
import { Failure, failureOfError, failureOfStatus } from './failures.ts'
import { limits } from './limits.ts'
import { readHttpDate } from './retry-after.ts'
import { orEnd } from './time.ts'

/** what the headers of an answer say, as soon as they are here */
export interface Heard {
  readonly status: number
  readonly rate: string | undefined
  readonly date: string | undefined
}

export interface Call {
  readonly read: PlatformRead
  readonly token: string
  readonly trace: string | undefined
  readonly signal: AbortSignal
  readonly hear: (heard: Heard) => void
  readonly now: () => number
}

const header = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const isJson = (type: string | undefined): boolean =>
  /^application\/(json|[\w.-]+\+json)$/.test((type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '')

function send(pool: Pool, { read: { target, accept }, token, trace, signal }: Call) {
  const headers = {
    ...{ authorization: `Bearer ${token}`, accept, 'accept-encoding': 'gzip', 'user-agent': 'vitrine' },
    ...(trace !== undefined && { traceparent: trace }),
  }
  // while a socket comes about, the client would not heed the signal
  return orEnd(pool.request({ method: 'GET', path: target, headers, signal }), signal)
}

async function readAnswer({ statusCode: status, headers, body }: Dispatcher.ResponseData, { read, now }: Call) {
  const json = isJson(header(headers, 'content-type'))
  const bytes = readBody(body, header(headers, 'content-encoding'))
  if (status === 200) {
    const whole = await bytes
    if (!json) throw new Failure(malformed('a success is not JSON'), { status })
    return parseExactly(whole)
  }
  // the status speaks for itself, also where its body cannot be read, or not soon
  const enough = setTimeout(() => body.destroy(), limits.refusalMs)
  const parsed = await bytes.then((whole) => (json ? parseExactly(whole) : undefined)).catch(() => undefined)
  clearTimeout(enough)
  // a date is one of the platform's clock
  const nowMs = readHttpDate(header(headers, 'date')) ?? now()
  throw failureOfStatus({ status, retryAfter: header(headers, 'retry-after'), body: parsed, given: read.given, nowMs })
}

/** rejects with a Failure, or, where the signal ended it, with whatever that led to */
export async function ask(pool: Pool, call: Call): Promise<unknown> {
  let status: number | undefined
  const isKept = pool.stats.free > 0
  try {
    const answer = await send(pool, call)
    status = answer.statusCode
    call.hear({ status, rate: header(answer.headers, 'x-rate-limit'), date: header(answer.headers, 'date') })
    try {
      return await readAnswer(answer, call)
    } finally {
      // what was not read to its end would hold its socket for ever
      if (!answer.body.readableEnded) answer.body.on('error', () => {}).destroy()
    }
  } catch (error) {
    const failure = failureOfError(error, status !== undefined)
    failure.stale = isKept && status === undefined && failure.again
    throw failure
  }
}
