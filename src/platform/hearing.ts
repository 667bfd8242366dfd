// Hears one answer as it comes: a handler for the client, which is spared its streams and signals so (docs/performance.md).
// What it comes to is whole or a failure, and is told at once when the call's time is over or nobody waits any more.
import type { Dispatcher } from 'undici'
import type { Signal } from '../ending.ts'
import { malformed, Problem } from '../problem.ts'
import { Body, type Coding, codingOf } from './body.ts'
import { limits } from './limits.ts'
import { type Held, noRoom } from './room.ts'

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/** what the headers of an answer say, as soon as they are here */
export interface Heard {
  readonly status: number
  readonly rate: string | undefined
  readonly date: string | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly coding: Coding
  /** undefined where the body of a refusal did not come, or not soon: its status speaks for itself */
  readonly parts: readonly Buffer[] | undefined
}

export interface HearingParts {
  readonly signal: Signal
  /** what the call may take in all */
  readonly totalMs: number
  readonly hear: (heard: Heard) => void
  /** what of its body is in memory */
  readonly held: Held
}

export const header = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** it had its time, which says nothing of whether somebody is there */
const overdue = (hearing: Hearing): void => hearing.fail(new Problem('upstream_timeout', { cause: 'TimeoutError' }))
const enough = (hearing: Hearing): void => hearing.fail(new DOMException('the body of a refusal', 'TimeoutError'))

/**
 * What is needed until it is over, and let go of then: the client's own record of a request outlives it until the slow collector
 * comes, and would keep the whole call with its document (docs/performance.md).
 */
interface Live extends HearingParts {
  readonly ok: (answer: Answer) => void
  readonly no: (reason: unknown) => void
  readonly clock: NodeJS.Timeout
  readonly left: () => void
  patience: NodeJS.Timeout | undefined
  controller: Dispatcher.DispatchController | undefined
  headers: Headers
  coding: Coding
  body: Body | undefined
}

export class Hearing implements Dispatcher.DispatchHandler {
  /** as soon as it is known */
  status: number | undefined = undefined
  #live: Live | undefined
  #failure: unknown = undefined

  constructor({ signal, totalMs, hear, held }: HearingParts, ok: Live['ok'], no: Live['no']) {
    const left = () => this.fail(signal.reason)
    const clock = setTimeout(overdue, totalMs, this)
    this.#live = {
      ...{ signal, totalMs, hear, held, ok, no, clock, left, patience: undefined, controller: undefined },
      ...{ headers: {}, coding: 'identity', body: undefined },
    }
    signal.addEventListener('abort', left)
    if (signal.aborted) left()
  }

  /** the first of its ends; undefined where there was one before */
  #end(): Live | undefined {
    const live = this.#live
    this.#live = undefined
    if (!live) return undefined
    clearTimeout(live.clock)
    clearTimeout(live.patience)
    live.signal.removeEventListener('abort', live.left)
    return live
  }

  /** it came to no whole answer; what is still to come is not waited for, which costs the socket */
  fail(error: unknown) {
    const { status } = this
    const live = this.#end()
    if (!live) return
    this.#failure = error
    const { ok, no, headers, coding, controller } = live
    if (status === undefined || status === 200) no(error)
    else ok({ status, headers, coding, parts: undefined })
    controller?.abort(error as Error)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    if (this.#live) this.#live.controller = controller
    // while a socket came about, nobody heeded the signal
    else controller.abort(this.#failure as Error)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers) {
    const live = this.#live
    // news before the answer
    if (status < 200 || !live) return
    this.status = status
    live.headers = headers
    live.hear({ status, rate: header(headers, 'x-rate-limit'), date: header(headers, 'date') })
    const coding = codingOf(header(headers, 'content-encoding'))
    if (!coding) return this.fail(malformed('the body has a coding that was not asked for'))
    live.coding = coding
    live.body = new Body(coding)
    if (status !== 200) live.patience = setTimeout(enough, limits.refusalMs, this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer) {
    if (this.#live?.body?.add(part) === false) return this.fail(malformed('the body is too large'))
    return this.#live?.held.add(part.length) === false ? this.fail(noRoom()) : undefined
  }

  onResponseEnd() {
    const { status } = this
    const live = status === undefined ? undefined : this.#end()
    if (!live || status === undefined) return
    const { headers, coding, body } = live
    live.ok({ status, headers, coding, parts: body?.parts })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error) {
    this.fail(error)
  }
}
