// One call: its deadline, its signals, and repeats after failures that allow them.
import { errorOf, passing, type Reading, requestIdOf, unexpected } from './answer.ts'
import { AtelierError, brokeOff, reasonOf, withoutAnswer } from './errors.ts'
import type { Fetch } from './types.ts'

/**
 * Which failures a call is repeated after. `any`: a repeat changes nothing more. `keyed`: its Idempotency-Key sees to that.
 * `refused`: only if the service said that it did nothing. `never`: its body is gone.
 */
export type Repeat = 'any' | 'keyed' | 'refused' | 'never'

export interface Call extends Reading {
  readonly address: string
  readonly method: string
  readonly headers: Record<string, string>
  /** a fresh one for each attempt; undefined: none */
  readonly body: (() => unknown) | undefined
  readonly isStream: boolean
  readonly repeat: Repeat
  readonly send: Fetch
  readonly timeoutMs: number
  readonly retries: number
  readonly signals: readonly AbortSignal[]
}

/** a timer above this fires at once */
const longestTimerMs = 2 ** 31 - 1

/** Rejects with the signal's reason at once, even if `work` ignores the signal. */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await unlessStopped(new Promise((resolve) => (timer = setTimeout(resolve, ms))), signal)
  } finally {
    clearTimeout(timer)
  }
}

/** ends a call at its deadline, or with a signal of the caller */
export class Stopper {
  readonly #aborter = new AbortController()
  readonly #signals: readonly AbortSignal[]
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  readonly #follow = () => this.#aborter.abort(this.#signals.find(({ aborted }) => aborted)?.reason)
  readonly endsAt: number
  last: AtelierError | undefined

  constructor({ signals, timeoutMs }: Call) {
    this.#signals = signals
    this.endsAt = performance.now() + timeoutMs
    const late = () => this.#aborter.abort(this.#overdue(timeoutMs))
    this.#timer = timeoutMs <= longestTimerMs ? setTimeout(late, timeoutMs) : undefined
    for (const one of signals) one.addEventListener('abort', this.#follow)
    if (signals.some(({ aborted }) => aborted)) this.#follow()
  }

  get signal(): AbortSignal {
    return this.#aborter.signal
  }

  #overdue(timeoutMs: number): AtelierError {
    const { last } = this
    const before = last ? ` The last failure before that: ${last.message}` : ''
    return new AtelierError(`There was no answer within ${timeoutMs} ms.${before}`, withoutAnswer('deadline'), {
      ...(last && { cause: last }),
    })
  }

  /** a stream has begun: it may take as long as it takes */
  stopClock() {
    clearTimeout(this.#timer)
  }

  abort(reason: unknown) {
    this.#aborter.abort(reason)
  }

  release() {
    clearTimeout(this.#timer)
    for (const one of this.#signals) one.removeEventListener('abort', this.#follow)
  }
}

/** a success, and what ends it while it is read */
export interface Begun {
  readonly response: Response
  readonly stopper: Stopper
}

async function textOf(response: Response, { key, base }: Call, signal: AbortSignal): Promise<string> {
  try {
    return await unlessStopped(response.text(), signal)
  } catch (error) {
    throw brokeOff(error, requestIdOf(response, { key, base }))
  }
}

async function askOnce<T>(call: Call, stopper: Stopper, read: (begun: Begun) => Promise<T>): Promise<T> {
  const { address, method, headers, send, base, isStream } = call
  const { signal } = stopper
  const body = call.body?.()
  let response: Response
  try {
    const init = { method, headers, redirect: 'manual', signal } as const
    const more = body === undefined ? {} : isStream ? { body, duplex: 'half' as const } : { body }
    // a redirect could send the key elsewhere
    response = await unlessStopped(send(address, { ...init, ...more }), signal)
  } catch (cause) {
    throw new AtelierError(`${base} cannot be reached: ${reasonOf(cause)}.`, withoutAnswer('unreachable'), { cause })
  }
  if (response.status < 200 || response.status > 299)
    throw errorOf(response, await textOf(response, call, signal), call)
  return read({ response, stopper })
}

/** whether the service has done nothing of it */
const isUndone = ({ status, type }: AtelierError): boolean =>
  (status === 429 && type !== 'unexpected_answer') || type === 'shutting_down'

function isRepeatable({ repeat }: Call, error: unknown): error is AtelierError {
  if (!(error instanceof AtelierError) || repeat === 'never') return false
  if (repeat === 'refused') return isUndone(error)
  if (repeat === 'keyed' && error.type === 'idempotency_in_progress') return true
  // 500 is a defect, which a repeat would meet again; status 0: no response
  return error.retryable && error.type !== 'deadline' && (error.status === 0 || passing.has(error.status))
}

/** As long as the service asks, else longer each time, with jitter. */
function waitMs({ retryAfterSec }: AtelierError, repeats: number): number {
  if (retryAfterSec !== undefined) return retryAfterSec * 1000
  return Math.random() * Math.min(8_000, 500 * 2 ** repeats)
}

/** Sends the request, and repeats it while the failure allows it and the deadline is not reached. */
export async function exchange<T>(call: Call, read: (begun: Begun) => Promise<T>, isKept = false): Promise<T> {
  const stopper = new Stopper(call)
  const { signal } = stopper
  let isBegun = false
  try {
    for (let repeats = 0; ; repeats++) {
      signal.throwIfAborted()
      try {
        const answer = await askOnce(call, stopper, read)
        isBegun = true
        return answer
      } catch (error) {
        signal.throwIfAborted()
        if (!isRepeatable(call, error) || repeats >= call.retries) throw error
        const ms = waitMs(error, repeats)
        if (performance.now() + ms >= stopper.endsAt || ms > longestTimerMs) throw error
        stopper.last = error
        await pause(ms, signal)
      }
    }
  } finally {
    if (!isBegun || !isKept) stopper.release()
  }
}

/** an answer in JSON, or none at all (204) */
export const readJson =
  (call: Call) =>
  async ({ response, stopper: { signal } }: Begun): Promise<object | undefined> => {
    const text = await textOf(response, call, signal)
    if (response.status === 204) return undefined
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      throw unexpected(response, text, call)
    }
    if (typeof body !== 'object' || body === null) throw unexpected(response, text, call)
    return Object.defineProperty(body, 'requestId', { value: requestIdOf(response, call) })
  }
