// What must hold at every moment of a run while all replicas reach Redis: nothing is overestimated, a 429 pauses everybody, a
// replica keeps to its part of the calls at once, and what is free can be had.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { sharedQuotaScript } from '../../../src/replicas/shared-quota-script.ts'
import { Alone } from './alone.ts'
import { Doubt, type UnderWay } from './doubt.ts'
import { holdMs, messageMs, mostKept, partOf } from './plan.ts'
import type { PlatformAnswer } from './platform.ts'
import type { QuotaWorld } from './world.ts'

/** the pause after the first 429 of a row */
const pauseMs = 1_000
/** a call so old no longer keeps others from testing */
const hangMs = 2_000
/** a call that ended without an answer counts as made by then */
const goneMs = 2_000 + messageMs
/** a report so old is tested, and the test has its answer by then */
const freeMs = 90_000

interface Under extends UnderWay {
  readonly life: number
}

/** with the platform's answer, or without */
export type Ended = (answer: Pick<PlatformAnswer, 'isRefusal' | 'rates'> | undefined) => void

export class QuotaOracles {
  readonly #world: QuotaWorld
  /** all that began */
  readonly calls: { readonly who: string; readonly at: number }[] = []
  readonly doubt: Doubt
  readonly alone: Alone
  readonly #underWay = new Set<Under>()
  #refusedAt = Number.NEGATIVE_INFINITY
  /** one call tries, until one had an answer that is no refusal */
  #isCareful = false
  #freeSince = Number.POSITIVE_INFINITY
  #disturbedUntil = 0
  /** when calls ended without an answer: each lowers the estimate until a call from after it has its answer */
  #unheard: number[] = []

  constructor(world: QuotaWorld) {
    this.#world = world
    this.doubt = new Doubt(world)
    this.alone = new Alone(world)
  }

  /** a replica makes a call; what is returned ends it */
  begin(node: SimulatedNode, who: string): Ended {
    const { plan, simulation } = this.#world
    const own: Under = { node, life: node.life, at: simulation.now, isOver: false }
    const live = [...this.#underWay].filter((one) => one.life === one.node.life)
    const most = partOf(plan)
    if (live.filter((one) => one.node === node).length >= most)
      this.#world.break(`a replica makes ${most} calls at once, and no more`)
    if (this.#isCalm(5_000)) this.#checkPause(live)
    this.#underWay.add(own)
    this.calls.push({ who, at: simulation.now })
    this.doubt.begins(own)
    this.alone.begins(node)
    return (answer) => {
      this.#underWay.delete(own)
      own.isOver = true
      if (answer) this.doubt.answered(own)
      if (answer) this.#unheard = this.#unheard.filter((at) => at > own.at - goneMs)
      if (answer) this.alone.heard(node, answer.rates.hour?.remaining ?? plan.limit)
      if (!answer) this.#unheard.push(simulation.now)
      // calls that began before a 429 say nothing new
      else if (own.at > this.#refusedAt + messageMs) this.#heard(answer.isRefusal)
    }
  }

  unheardSince(ms: number): number {
    return this.#unheard.filter((at) => at > this.#world.simulation.now - ms).length
  }

  #isCalm(forMs: number): boolean {
    const { plan, bound, simulation } = this.#world
    const { now } = simulation
    const isQuiet = this.#world.isQuietBeside(forMs) && now > this.#disturbedUntil + forMs
    return plan.hasRedis && isQuiet && bound.isSettled(now, forMs)
  }

  #checkPause(live: readonly Under[]) {
    const { now } = this.#world.simulation
    const sinceMs = now - this.#refusedAt
    if (sinceMs > messageMs && sinceMs < pauseMs - messageMs)
      this.#world.break(`a 429 pauses all replicas for ${pauseMs} ms, and not ${Math.round(sinceMs)} ms`)
    const isBeside = live.some(
      ({ at }) => at > this.#refusedAt + messageMs && at < now - messageMs && now - at < hangMs,
    )
    if (this.#isCareful && isBeside) this.#world.break('after a 429, one call over all replicas tries')
  }

  #heard(isRefusal: boolean) {
    if (isRefusal) this.#refusedAt = this.#world.simulation.now
    this.#isCareful = isRefusal
  }

  /** by what is no fault of the plan */
  disturbed(forMs: number) {
    this.#disturbedUntil = this.#world.simulation.now + forMs
    this.#freeSince = Number.POSITIVE_INFINITY
  }

  /** after each call that arrives, and now and then */
  look() {
    const { platform, simulation, bound, plan } = this.#world
    const isFree =
      platform.counts.left() > mostKept(plan) && this.#world.faults.isQuiet(messageMs) && plan.perMinute === undefined
    const isCalm = bound.isSettled(simulation.now, messageMs) && simulation.now > this.#disturbedUntil
    if (!isFree || !isCalm) this.#freeSince = Number.POSITIVE_INFINITY
    else this.#freeSince = Math.min(this.#freeSince, simulation.now)
    if (plan.hasRedis && bound.isWhole(simulation.now, messageMs)) this.#checkEstimate()
  }

  /** so many were free for long enough that a call that begins now is made */
  isSurelyFree(waiting: number): boolean {
    const { plan, platform } = this.#world
    const unheard = this.unheardSince(freeMs)
    if (platform.counts.left() <= mostKept(plan) + waiting + unheard) return false
    // where nothing is known to be left, the call without an answer was the test of its minute
    if (unheard > 0 && this.known()?.hour === 0) return false
    return this.#world.plan.hasRedis && this.#world.isClockTrue && this.#world.simulation.now - this.#freeSince > freeMs
  }

  #checkEstimate() {
    const { platform } = this.#world
    const known = this.known()
    if (!known) return
    const told = [known.hour, known.minute]
    for (const [i, left] of [platform.counts.left(), platform.counts.leftInMinute()].entries())
      if ((told[i] ?? -1) > left) this.#world.break(`what is left is never overestimated: ${told[i]} of ${left}`)
  }

  /** what Redis would say, without a trace of the question */
  known(): { readonly hour: number; readonly minute: number } | undefined {
    const { values } = this.#world.redis.store
    const name = values.names().find((one) => /:quota:[^:]+$/.test(one))
    if (name === undefined) return undefined
    const look = ['EVALSHA', sharedQuotaScript.sha, '1', name, 'look', '', '0', '0', String(holdMs), '3600000']
    const answer = this.#world.redis.store.peek(look)
    return Array.isArray(answer) ? { hour: Number(answer[6]), minute: Number(answer[8]) } : undefined
  }
}
