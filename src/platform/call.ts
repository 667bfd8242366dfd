// One GET, signed, from the first byte to the parsed document. What it came to is a document or a Failure.
import type { Pool } from 'undici'
import type { PlatformRead } from '../engine/port.ts'
import { malformed } from '../problem.ts'
import { unpack } from './body.ts'
import { parseExactly } from './exact-json.ts'
import { Failure, failureOfError, failureOfStatus } from './failures.ts'
import { type Answer, header, Hearing, type HearingParts } from './hearing.ts'
import { readHttpDate } from './retry-after.ts'
import { type Held, noRoom } from './room.ts'

export interface Call extends HearingParts {
  readonly read: PlatformRead
  readonly token: string
  readonly trace: string | undefined
  readonly now: () => number
}

const isJson = (type: string | undefined): boolean =>
  type === 'application/json' ||
  /^application\/(json|[\w.-]+\+json)$/.test((type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '')

function headersOf({ read: { accept }, token, trace }: Call): string[] {
  const always = [
    'authorization',
    `Bearer ${token}`,
    'accept',
    accept,
    'accept-encoding',
    'gzip',
    'user-agent',
    'vitrine',
  ]
  return trace === undefined ? always : [...always, 'traceparent', trace]
}

async function parse(parts: readonly Buffer[], coding: Answer['coding'], held: Held): Promise<unknown> {
  if (coding !== 'gzip') return parseExactly(parts)
  const unpacked = await unpack(parts)
  if (!held.add(unpacked.length)) throw noRoom()
  return parseExactly([unpacked])
}

async function readAnswer({ status, headers, coding, parts }: Answer, { read, now, held }: Call): Promise<unknown> {
  const document = parts && isJson(header(headers, 'content-type')) ? parse(parts, coding, held) : undefined
  if (status === 200) {
    if (document) return document
    throw new Failure(malformed('a success is not JSON'), { status })
  }
  // the status speaks for itself, also where its body cannot be read
  const body = await document?.catch(() => undefined)
  // a date is one of the platform's clock
  const nowMs = readHttpDate(header(headers, 'date')) ?? now()
  const isWhole = parts !== undefined
  throw failureOfStatus({ status, retryAfter: header(headers, 'retry-after'), body, isWhole, given: read.given, nowMs })
}

/** rejects with a Failure, or, where the signal ended it, with whatever that led to */
export async function ask(pool: Pool, call: Call): Promise<unknown> {
  const isKept = pool.stats.free > 0
  let hearing: Hearing | undefined
  try {
    const answer = await new Promise<Answer>((ok, no) => {
      hearing = new Hearing(call, ok, no)
      pool.dispatch({ method: 'GET', path: call.read.target, headers: headersOf(call) }, hearing)
    })
    return await readAnswer(answer, call)
  } catch (error) {
    const isHeard = hearing?.status !== undefined
    const failure = failureOfError(error, isHeard)
    failure.stale = isKept && !isHeard && failure.again
    throw failure
  }
}
