// One attempt at a read: checks breaker and signing key, waits for a turn, sends the call, and reports its outcome to all
// that depend on it. A 401 is retried within the attempt, since it says nothing of the read.
import type { Observe } from '../../events.ts'
import type { PlatformDocument, PlatformRead } from '../../engine/port.ts'
import { problemOfAbort } from '../../problems.ts'
import { isLate } from '../abort.ts'
import { type KeyRefusals, laneOf } from '../auth/key-refusals.ts'
import type { Signer } from '../auth/signer.ts'
import type { ReadContext } from '../port.ts'
import type { Breakers } from '../retry/breaker.ts'
import { Failure } from '../retry/failures.ts'
import { readRates } from '../schedule/rate-header.ts'
import type { Scheduler, Turn } from '../schedule/scheduler.ts'
import type { AnswerMemory, Reserved } from './answer-memory.ts'
import { ask, type ResponseHead } from './call.ts'
import { limits } from './limits.ts'
import type { Pools, SocketPool } from './pools.ts'

export interface AttemptParts {
  readonly connection: string
  readonly pools: Pools
  readonly scheduler: Scheduler
  readonly breakers: Breakers
  readonly refusals: KeyRefusals
  readonly signer: Signer
  readonly now: () => number
  readonly steady: () => number
  readonly memory: AnswerMemory
  readonly totalMs: number
  readonly observe: Observe
}

interface Call {
  readonly lane: string
  readonly read: PlatformRead
  readonly context: ReadContext
  readonly turn: Turn
  readonly reserved: Reserved
  number: number
  waitedMs: number
  head: ResponseHead | undefined
}

/** a timeout counts as "platform down" only after so long, and so many times the typical call */
const [leastMs, times] = [2_000, 4]
const isKnownKey = (status: number): boolean => status === 200 || status === 403 || status === 404

export class Attempts {
  readonly #parts: AttemptParts
  /** no connection shares them */
  readonly #sockets: SocketPool

  constructor(parts: AttemptParts) {
    this.#parts = parts
    this.#sockets = parts.pools.create()
  }

  /** rejects with a Failure that may be worth a retry, or with a Problem that is final */
  async make(read: PlatformRead, context: ReadContext, number: number): Promise<PlatformDocument> {
    const { scheduler, steady, memory } = this.#parts
    context.budget?.check()
    const lane = laneOf(read, context)
    const isTrial = this.#check(lane, context, context.trial === true)
    const queuedAt = steady()
    const entered = scheduler.enter(context)
    const turn = entered instanceof Promise ? await entered : entered
    let isUsed = false
    let reserved: Reserved | undefined
    try {
      const waitedMs = steady() - queuedAt
      context.cost.waitedMs += waitedMs
      // other calls may have failed while this one waited
      this.#check(lane, context, isTrial)
      reserved = await memory.enter()
      if (context.budget) await context.budget.spend()
      isUsed = true
      return await this.#sendSigned({ lane, read, context, turn, reserved, number, waitedMs, head: undefined })
    } finally {
      reserved?.free()
      turn.leave(isUsed)
    }
  }

  /** true: this call is a trial, which no breaker rejects */
  #check(lane: string, { trial }: ReadContext, isTrial: boolean): boolean {
    const { signer, refusals, breakers } = this.#parts
    if (!trial) {
      signer.check()
      refusals.check(lane)
    }
    return isTrial || breakers.admit(lane)
  }

  async #sendSigned(call: Call): Promise<PlatformDocument> {
    const { signer, refusals, scheduler } = this.#parts
    const { lane, read, context } = call
    const ready = signer.token(read.target)
    const token = typeof ready === 'string' ? ready : await ready
    try {
      return await this.#send(call, token)
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 401) throw error
      const mayRetry = refusals.mayRetry(lane)
      if (!mayRetry) refusals.refused(lane, token, read)
      if (!mayRetry || call.number >= limits.calls) throw error
      const second = await signer.again(read.target, token, refusals.believed(call.head?.date))
      if (context.budget) await context.budget.spend()
      const isAllowed = scheduler.quota.spend(context.trial ? undefined : context.who, call.turn)
      if (isAllowed && !(await isAllowed)) throw error
      return this.#sendAgain(call, second)
    }
  }

  async #sendAgain(call: Call, token: string): Promise<PlatformDocument> {
    call.number++
    call.waitedMs = 0
    call.head = undefined
    try {
      return await this.#send(call, token)
    } catch (error) {
      if (error instanceof Failure) error.calls = 2
      if (error instanceof Failure && error.status === 401) this.#parts.refusals.refused(call.lane, token, call.read)
      throw error
    }
  }

  async #send(call: Call, token: string): Promise<PlatformDocument> {
    const { connection, pools, scheduler, now, steady, totalMs, observe } = this.#parts
    const { read, context, number, waitedMs, reserved } = call
    const { cost, signal } = context
    const startedAt = steady()
    let code: string | undefined
    let endedAt: number | undefined
    const tookMs = () => (endedAt ?? steady()) - startedAt
    cost.calls++
    if (number > 1) cost.retries++
    const span = context.trace?.(number)
    try {
      const onHead = (head: ResponseHead) => {
        call.head = head
        this.#onHead(head, call, token, startedAt)
      }
      const onEnd = (status: number, bytes: number) => {
        endedAt = steady()
        return status === 200 ? context.onArrival?.(bytes) : undefined
      }
      const sent = { read, token, trace: span?.traceparent, onHead, onEnd, now, signal, totalMs, reserved }
      if (!pools.isLoaded()) await pools.load()
      const document = await ask(this.#sockets, sent)
      scheduler.answered(tookMs())
      return document
    } catch (error) {
      const judged = this.#judge(error, call, startedAt)
      code = judged instanceof Failure ? judged.problem.code : isLate(signal) ? 'upstream_timeout' : 'left'
      throw judged
    } finally {
      const durationMs = tookMs()
      cost.platformMs += durationMs
      const outcome: { status?: number; code?: string } = {}
      if (call.head) outcome.status = call.head.status
      if (code !== undefined) outcome.code = code
      span?.end(outcome)
      observe({ kind: 'called', connection, ...outcome, attempt: number, waitedMs, durationMs })
    }
  }

  #onHead({ status, rate, date }: ResponseHead, { turn, lane }: Call, token: string, begunAt: number) {
    const { scheduler, breakers, refusals } = this.#parts
    scheduler.heard(readRates(rate), begunAt, { turn, isRefusal: status === 429 })
    if (status !== 429) scheduler.quota.welcome()
    breakers.tell(lane, status === 503 || status === 504 ? 'down' : 'alive')
    if (isKnownKey(status)) refusals.accepted(token, date)
  }

  /** tells the breakers and the scheduler of a failed call, and returns what the caller gets */
  #judge(error: unknown, { lane, head, context: { signal } }: Call, begunAt: number): unknown {
    const { scheduler, breakers, steady } = this.#parts
    if (signal.aborted) {
      const isTelling = steady() - begunAt >= Math.max(leastMs, times * (scheduler.typicalMs() ?? 0))
      if (!head && isLate(signal) && isTelling) breakers.tell(lane, 'down')
      return problemOfAbort(signal)
    }
    if (!(error instanceof Failure)) return error
    if (!head && error.down && !error.stale) breakers.tell(lane, 'down')
    if (error.status === 429) scheduler.quota.refused(error.problem.extras.retryAfterSec, begunAt)
    return error
  }
}
