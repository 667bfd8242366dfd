// Single GETs for the doctor, which wants to know how the platform answers: status, date, quota. No queue, no retries, no
// breaker, so that each answer is shown as it is.
import { steadyMs } from '../../../../base/core/abort.ts'
import type { PlatformRead } from '../../engine/port.ts'
import { Problem } from '../../problems.ts'
import { ask, type ResponseHead } from './call.ts'
import { Failure } from '../retry/failures.ts'
import { createPools, type PoolsOptions } from './pools.ts'
import { readRates } from '../schedule/rate-header.ts'
import { readHttpDate } from '../retry/retry-after.ts'
import { unbounded } from './answer-memory.ts'
import { type Credential, createTokens } from '../auth/signer.ts'

export interface ProbeRead extends Pick<PlatformRead, 'target' | 'accept'> {
  readonly signal: AbortSignal
}

export type Probed = Awaited<ReturnType<Prober['knock']>>
export type Prober = ReturnType<typeof createProber>

export interface ProberOptions extends Omit<PoolsOptions, 'origin' | 'steady'> {
  readonly baseUrl: string
  readonly now: () => number
}

/** dates have whole seconds: half a second is lost on average */
const cutMs = 500
const noToken = 'none'

export function createProber(options: ProberOptions) {
  const { baseUrl, now, totalMs } = options
  const pools = createPools({ ...options, origin: new URL(baseUrl).origin, steady: steadyMs })
  const sockets = pools.create()
  let offsetMs = 0
  const tokens = createTokens(() => now() + offsetMs)

  async function send({ target, accept, signal }: ProbeRead, token: string) {
    let head: ResponseHead | undefined
    const [startedAt, begunMs] = [now(), steadyMs()]
    const read = { target, accept, given: new Map<string, string>() }
    const onHead = (one: ResponseHead) => (head = one)
    const probed = (document: unknown, problem?: Problem, isOwn = true) => {
      const tookMs = steadyMs() - begunMs
      const dateMs = readHttpDate(head?.date)
      return {
        status: head?.status,
        document,
        code: problem?.code,
        /** false: the refusal is not in the platform's format, so a proxy may have answered */
        isOwn,
        tookMs,
        rates: readRates(head?.rate),
        cause: typeof problem?.extras.cause === 'string' ? problem.extras.cause : undefined,
        retryAfterSec: problem?.extras.retryAfterSec,
        /** how far the platform's clock is ahead: the date of its answer against the middle of the call */
        aheadMs: dateMs === undefined ? undefined : dateMs + cutMs - (startedAt + tookMs / 2),
      }
    }
    try {
      await pools.load()
      const call = { read, token, trace: undefined, now, signal, totalMs, onHead, reserved: unbounded }
      return probed((await ask(sockets, call)).take())
    } catch (error) {
      if (error instanceof Failure) return probed(undefined, error.problem, error.isOwn)
      return probed(undefined, new Problem('upstream_timeout', { cause: 'TimeoutError' }))
    }
  }

  return {
    knock: (read: ProbeRead) => send(read, noToken),
    ask: async (read: ProbeRead, credential: Credential) => send(read, await tokens.for(credential, read.target)),
    setClock: (aheadMs: number) => void (offsetMs = aheadMs),
    close: () => pools.close(),
  }
}
