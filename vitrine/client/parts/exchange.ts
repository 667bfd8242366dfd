// One call: its deadline, its signals, and repeats after failures that allow them.
import { passing, readAnswer, type Reading, requestIdOf } from './answer.ts'
import { DeadlineError, UnreachableError, VitrineError, withoutAnswer } from './errors.ts'
import type { Fetch } from './types.ts'

export interface Call extends Reading {
  readonly address: string
  readonly headers: Record<string, string>
  readonly send: Fetch
  readonly timeoutMs: number
  readonly retries: number
  readonly signals: readonly AbortSignal[]
}

/** a timer above this fires at once */
const longestTimerMs = 2 ** 31 - 1

/** Rejects with the signal's reason at once, even if `work` ignores the signal. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
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

/** The runtime's code of the failure: some hide it behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown }
  if (cause !== undefined && cause !== null) return reasonOf(cause)
  return String(code ?? message ?? error).replace(/\.$/, '')
}

async function askOnce(call: Call, signal: AbortSignal): Promise<object> {
  const { address, headers, send, base } = call
  let response: Response | undefined
  let body: string
  try {
    // a redirect could send the key elsewhere
    response = await unlessStopped(send(address, { method: 'GET', headers, redirect: 'manual', signal }), signal)
    body = await unlessStopped(response.text(), signal)
  } catch (cause) {
    const said = response ? 'The answer broke off' : `${base} cannot be reached`
    throw new UnreachableError(
      `${said}: ${reasonOf(cause)}.`,
      { ...withoutAnswer(base, 'unreachable'), requestId: response ? requestIdOf(response, call) : '' },
      { cause },
    )
  }
  return readAnswer(response, body, call)
}

/** 500 is a defect, which a repeat would meet again; status 0: no response. */
const isRepeatable = (error: unknown): error is VitrineError =>
  error instanceof VitrineError && error.retryable && (error.status === 0 || passing.has(error.status))

/** As long as the service asks, else longer each time, with jitter. */
function waitMs({ retryAfterSec }: VitrineError, repeats: number): number {
  if (retryAfterSec !== undefined) return retryAfterSec * 1000
  return Math.random() * Math.min(8_000, 500 * 2 ** repeats)
}

function overdue({ base, timeoutMs }: Call, last: VitrineError | undefined): DeadlineError {
  const before = last ? ` The last failure before that: ${last.message}` : ''
  const message = `There was no answer within ${timeoutMs} ms.${before}`
  return new DeadlineError(message, withoutAnswer(base, 'deadline'), { ...(last && { cause: last }) })
}

/** Sends the request, and repeats it while the failure allows it and the deadline is not reached. */
export async function exchange(call: Call): Promise<object> {
  const { timeoutMs, retries, signals } = call
  const stopper = new AbortController()
  const { signal } = stopper
  let last: VitrineError | undefined
  const endsAt = performance.now() + timeoutMs
  const timer =
    timeoutMs <= longestTimerMs ? setTimeout(() => stopper.abort(overdue(call, last)), timeoutMs) : undefined
  const follow = () => stopper.abort(signals.find(({ aborted }) => aborted)?.reason)
  for (const one of signals) one.addEventListener('abort', follow)
  try {
    if (signals.some(({ aborted }) => aborted)) follow()
    for (let repeats = 0; ; repeats++) {
      signal.throwIfAborted()
      try {
        return await askOnce(call, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (!isRepeatable(error) || repeats >= retries) throw error
        const ms = waitMs(error, repeats)
        if (performance.now() + ms >= endsAt || ms > longestTimerMs) throw error
        last = error
        await pause(ms, signal)
      }
    }
  } finally {
    clearTimeout(timer)
    for (const one of signals) one.removeEventListener('abort', follow)
  }
}
