// One attempt at a read: is the platform believed to be there, whose turn is it, which token; and what the outcome says
// of all that. A 401 is asked once more within it, since it says nothing of the read.
import type { Errand, PlatformRead } from '../engine/port.ts'
import type { Observe } from '../observe.ts'
import type { Breakers } from './breakers.ts'
import { ask } from './call.ts'
import { Failure } from './failures.ts'
import type { Governor, Turn } from './governor.ts'
import type { Heard } from './hearing.ts'
import { createLessons } from './lessons.ts'
import { isNeutral, laneOf } from './neutral.ts'
import type { Pools } from './pools.ts'
import type { Refusals } from './refusals.ts'
import type { Signer } from './signer.ts'
import { limits } from './limits.ts'
import type { Held, Room } from './room.ts'
import { isLate } from './time.ts'

export interface AttemptParts {
  readonly connection: string
  /** whose sockets they are */
  readonly owner: object
  readonly pools: Pools
  /** of the platform key, which other connections may have too */
  readonly governor: Governor
  readonly breakers: Breakers
  readonly refusals: Refusals
  readonly signer: Signer
  readonly now: () => number
  readonly steady: () => number
  /** for answers, over all connections */
  readonly room: Room
  /** what one call may take in all */
  readonly totalMs: number
  readonly observe: Observe
}

/** rejects with a Failure that may be worth a repeat, or with a Problem that is final */
export type Attempt = (read: PlatformRead, errand: Errand, number: number) => Promise<unknown>

interface Sending {
  readonly lane: string
  readonly read: PlatformRead
  readonly errand: Errand
  readonly number: number
  readonly waitedMs: number
  readonly turn: Turn
  readonly held: Held
}

type Send = (sending: Sending, token: string, tell: (heard: Heard) => void) => Promise<unknown>

/** one call, and what it teaches */
function createSend(parts: AttemptParts): Send {
  const { connection, owner, pools, governor, now, steady, totalMs, observe } = parts
  const lessons = createLessons(parts)
  return async ({ lane, read, errand, number, waitedMs, turn, held }, token, tell) => {
    const { cost, signal } = errand
    const startedAt = steady()
    let heard: Heard | undefined
    let code: string | undefined
    cost.calls++
    if (number > 1) cost.retries++
    const traced = errand.trace?.(number)
    try {
      const onHeard = (one: Heard) => {
        heard = one
        lessons.fromHeard(one, { token, begunAt: startedAt, turn, lane })
        tell(one)
      }
      const call = { read, token, trace: traced?.traceparent, hear: onHeard, now, signal, totalMs, held }
      const document = await ask(pools.of(owner), call)
      governor.answered(steady() - startedAt)
      return document
    } catch (error) {
      const tookMs = steady() - startedAt
      const judged = lessons.fromFailure(error, { lane, signal, heard, begunAt: startedAt, tookMs })
      code = judged instanceof Failure ? judged.problem.code : isLate(signal) ? 'upstream_timeout' : 'left'
      throw judged
    } finally {
      const durationMs = steady() - startedAt
      cost.platformMs += durationMs
      const came = { ...(heard && { status: heard.status }), ...(code !== undefined && { code }) }
      traced?.end(came)
      observe({ kind: 'called', connection, ...came, attempt: number, waitedMs, durationMs })
    }
  }
}

export function createAttempt(parts: AttemptParts): Attempt {
  const { governor, breakers, refusals, signer, steady, room } = parts
  const send = createSend(parts)

  async function sendSigned(sending: Sending): Promise<unknown> {
    const { lane, read, errand, number, turn } = sending
    let date: string | undefined
    const note = (heard: Heard) => (date = heard.date)
    const ready = signer.token(read.target)
    const token = typeof ready === 'string' ? ready : await ready
    let refusal: Failure
    try {
      return await send(sending, token, note)
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 401) throw error
      refusal = error
    }
    const mayRepeat = refusals.mayRepeat(lane)
    if (!mayRepeat) refusals.tell(lane, token, isNeutral(read))
    if (!mayRepeat || number >= limits.calls) throw refusal
    const second = await signer.again(read.target, token, refusals.believed(date))
    const isAllowed = governor.quota.spend(errand.trial ? undefined : errand.who, turn)
    if (isAllowed && !(await isAllowed)) throw refusal
    try {
      return await send({ ...sending, number: number + 1, waitedMs: 0 }, second, note)
    } catch (error) {
      if (error instanceof Failure) error.calls = 2
      if (error instanceof Failure && error.status === 401) refusals.tell(lane, second, isNeutral(read))
      throw error
    }
  }

  return async (read, errand, number) => {
    const isTrial = errand.trial === true
    const lane = laneOf(read, errand)
    const check = () => {
      if (isTrial) return
      signer.check()
      refusals.check(lane)
    }
    check()
    const isProbe = isTrial || breakers.admit(lane)
    const queuedAt = steady()
    const entered = governor.enter(errand)
    const turn = entered instanceof Promise ? await entered : entered
    let isUsed = false
    let held: Held | undefined
    try {
      const waitedMs = steady() - queuedAt
      errand.cost.waitedMs += waitedMs
      // while it waited, others may have found out
      check()
      if (!isProbe) breakers.admit(lane)
      held = await room.enter()
      isUsed = true
      return await sendSigned({ lane, read, errand, number, waitedMs, turn, held })
    } finally {
      held?.free()
      turn.leave(isUsed)
    }
  }
}
