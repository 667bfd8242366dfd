// One GET at a time, for somebody who wants to know how the platform answers and not only what: its status, its date, what
// it says of the quota. No turns, no repeats, no breaker: what is found is the finding.
import type { PlatformRead } from '../engine/port.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { ask } from './call.ts'
import { Failure } from './failures.ts'
import type { Heard } from './hearing.ts'
import { createPools, type PoolsOptions } from './pools.ts'
import { type Rates, readRates } from './rate-header.ts'
import { readHttpDate } from './retry-after.ts'
import { heldApart } from './room.ts'
import { type Credential, createTokens } from './token.ts'

export interface Probed {
  /** undefined where no answer came */
  readonly status: number | undefined
  /** of a 200 that is JSON */
  readonly document: unknown
  /** what a caller would be told in place of the document */
  readonly code: ProblemCode | undefined
  /** why, in a few words: an error's code, or what was wrong with the answer */
  readonly cause: string | undefined
  /** false: a refusal that is not in the platform's own form, so that somebody else may have answered */
  readonly isOwn: boolean
  readonly retryAfterSec: number | undefined
  /** how far the platform's clock is ahead, by the date of its answer and the middle of the call */
  readonly aheadMs: number | undefined
  readonly rates: Rates
  readonly tookMs: number
}

export interface ProbeRead extends Pick<PlatformRead, 'target' | 'accept'> {
  readonly signal: AbortSignal
}

export interface Prober {
  /** whether somebody is there who asks for a token: without one */
  knock(read: ProbeRead): Promise<Probed>
  /** never rejects */
  ask(read: ProbeRead, credential: Credential): Promise<Probed>
  /** tokens are dated by a clock that is so far ahead of ours */
  setClock(aheadMs: number): void
  close(): Promise<void>
}

export interface ProberOptions extends Omit<PoolsOptions, 'origin' | 'steady'> {
  readonly baseUrl: string
  readonly now: () => number
}

/** a header of a date has whole seconds: on average half a one is cut off */
const cutMs = 500
const nobody = 'none'

export function createProber(options: ProberOptions): Prober {
  const { baseUrl, now, totalMs } = options
  const steady = () => performance.now()
  const pools = createPools({ ...options, origin: new URL(baseUrl).origin, steady })
  let offsetMs = 0
  const tokens = createTokens(() => now() + offsetMs)

  async function send({ target, accept, signal }: ProbeRead, token: string): Promise<Probed> {
    let heard: Heard | undefined
    const [startedAt, begunMs] = [now(), steady()]
    const read = { target, accept, given: new Map<string, string>() }
    const hear = (one: Heard) => (heard = one)
    const told = (document: unknown, problem?: Problem, isOwn = true): Probed => {
      const tookMs = steady() - begunMs
      const dateMs = readHttpDate(heard?.date)
      return {
        ...{ status: heard?.status, document, code: problem?.code, isOwn, tookMs, rates: readRates(heard?.rate) },
        cause: typeof problem?.extras.cause === 'string' ? problem.extras.cause : undefined,
        retryAfterSec: problem?.extras.retryAfterSec,
        aheadMs: dateMs === undefined ? undefined : dateMs + cutMs - (startedAt + tookMs / 2),
      }
    }
    try {
      return told(
        await ask(pools.of(pools), { read, token, trace: undefined, now, signal, totalMs, hear, held: heldApart }),
      )
    } catch (error) {
      if (error instanceof Failure) return told(undefined, error.problem, error.isOwn)
      return told(undefined, new Problem('upstream_timeout', { cause: 'TimeoutError' }))
    }
  }

  return {
    knock: (read) => send(read, nobody),
    ask: async (read, credential) => send(read, await tokens.for(credential, read.target)),
    setClock: (aheadMs) => void (offsetMs = aheadMs),
    close: () => pools.close(),
  }
}
