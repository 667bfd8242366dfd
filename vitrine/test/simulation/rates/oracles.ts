// What docs/decisions/replica-limits.md promises of the rate of one key, counted from its requests and their answers alone.
import type { KeyAllowance } from '../../../../base/auth/rate-limits.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { type Life, trustsSince, trustsSometime } from './lives.ts'
import type { PlannedFault } from './plan.ts'
import type { RatesWorld } from './world.ts'

/** how far clocks drift, and how long a message takes */
export const [drift, messageMs] = [0.0012, 100]
/** what was under way when a fault ended has arrived by then */
const settledMs = 1_500
/** how long a request waits for Redis, and how late its timer may be */
const [waitMs, mostWaitMs] = [50 - 1, 50 + 10]
/** no path is broken for longer: what was sent before then arrives */
const longestCutMs = 11 * 60_000

interface Request {
  readonly sentAt: number
  readonly node: SimulatedNode
  readonly life: number
  isAllowed: boolean | undefined
  /** Redis did not answer in time: it may count it late, not at all, or with what was owed twice */
  isUnanswered: boolean
  /** in the same window, with answers when this was sent */
  readonly acceptedBefore: number
}

export interface Asking {
  /** with the answer */
  ended(allowance: KeyAllowance): void
}

export class KeyOracle {
  readonly #world: RatesWorld
  readonly limit: number
  /** a window lasts at least and at most so long on the clocks of all */
  readonly #shortMs: number
  readonly #longMs: number
  #requests: Request[] = []
  /** of all requests */
  readonly #sentAt: number[] = []
  #lastAt = Number.NEGATIVE_INFINITY
  /** the first request after a time without any: no window of anybody began before it */
  #firstAt = Number.NEGATIVE_INFINITY

  constructor(world: RatesWorld, limit: number) {
    this.#world = world
    this.limit = limit
    const { windowMs } = world.plan
    this.#shortMs = windowMs * (1 - drift) - messageMs
    this.#longMs = windowMs * (1 + drift) + messageMs
  }

  /** `freeFrom`: when a refusal said that all is left again */
  begin(node: SimulatedNode, freeFrom?: number): Asking {
    const { now } = this.#world.simulation
    this.#requests = this.#requests.filter(({ sentAt }) => sentAt > now - 3 * this.#longMs - longestCutMs)
    this.#sentAt.push(now)
    if (now - this.#lastAt > this.#longMs + settledMs)
      this.#firstAt = this.#isClockTrue() ? now : Number.NEGATIVE_INFINITY
    this.#lastAt = now
    const acceptedBefore = this.accepted()
    const own: Request = {
      sentAt: now,
      node,
      life: node.life,
      isAllowed: undefined,
      isUnanswered: true,
      acceptedBefore,
    }
    this.#requests.push(own)
    const begunAt = node.steady()
    return {
      ended: (allowance) => {
        own.isAllowed = allowance.allowed
        const tookMs = node.steady() - begunAt
        const link = this.#world.lives.all.findLast((one) => one.node === node)?.links.at(-1)
        own.isUnanswered = tookMs >= waitMs || (link?.isUp === false && link.at >= own.sentAt)
        if (tookMs > mostWaitMs && !this.#world.faults.wasStopped(node, tookMs))
          this.#world.break(`no request waits longer than 50 ms for Redis, and not ${Math.round(tookMs)} ms`)
        if (allowance.allowed) this.#checkBound(own)
        else this.#checkRefusal(own, freeFrom)
        this.#checkHeader(own, allowance)
      },
    }
  }

  /** what a caller is told that takes nothing */
  checkLook(remaining: number, acceptedBefore: number) {
    if (!this.#isFirstWindow() || !this.#isExact(2 * this.#longMs)) return
    const [most, least] = [this.limit - acceptedBefore, Math.max(0, this.limit - this.#sentSince(this.#firstAt))]
    if (remaining > most || remaining < least)
      this.#world.break(`what is left is shown as it is: ${least} to ${most}, and not ${remaining}`)
  }

  /** of the window that has begun last, if it is the first after a time without requests */
  accepted(): number {
    return this.#isFirstWindow() ? this.#acceptedSince(this.#firstAt) : 0
  }

  #isFirstWindow(): boolean {
    return this.#firstAt > this.#world.simulation.now - this.#shortMs
  }

  #sentSince(from: number, node?: SimulatedNode): number {
    return this.#requests.filter((one) => one.sentAt >= from && (!node || one.node === node)).length
  }

  #acceptedSince(from: number, node?: SimulatedNode): number {
    return this.#requests.filter((one) => one.sentAt >= from && one.isAllowed && (!node || one.node === node)).length
  }

  /** all use Redis, have long believed its count, and nothing is broken */
  #isExact(forMs: number): boolean {
    const { plan, lives, simulation, faults } = this.#world
    const from = simulation.now - forMs
    const isTrusting = (life: Life) =>
      life.to < Infinity || trustsSince(life, plan.windowMs) <= Math.max(from, life.from)
    return (
      plan.hasRedis &&
      faults.isQuiet(forMs + settledMs, ({ kind }) => kind !== 'drift' && kind !== 'redis drift') &&
      this.#isClockTrue() &&
      lives.between(from, simulation.now).every(isTrusting)
    )
  }

  /** Where the clock of Redis was set back, a count is kept for longer: until a window after the next request. */
  #isClockTrue(): boolean {
    const { now } = this.#world.simulation
    const isHeld = ({ kind, amount, atMs }: PlannedFault) => {
      const nextAt = this.#sentAt.find((at) => at > atMs) ?? now
      return kind === 'redis clock' && amount < 0 && nextAt > now - this.#longMs - settledMs
    }
    return this.#world.changesOfRedis(0, now, isHeld) === 0
  }

  /** with those that were sent after it, and may have overtaken it */
  #checkRefusal({ sentAt, node }: Request, freeFrom = Infinity) {
    const { limit } = this
    const { lives, plan } = this.#world
    const windowMs = this.#longMs
    const since = this.#sentSince(freeFrom - 1_000 - 2 * (messageMs + drift * plan.windowMs))
    if (sentAt >= freeFrom && since <= limit && this.#isExact(2 * windowMs))
      this.#world.break('a caller that waits as it was told is not refused again')
    if (this.#sentSince(sentAt - windowMs) <= limit && this.#isExact(2 * windowMs))
      this.#world.break(`a caller under its rate of ${limit} is never refused`)
    const [, most] = lives.countsIn(sentAt - 2 * windowMs, sentAt)
    const part = Math.max(1, Math.floor(limit / most))
    const isAnyLate = this.#requests.some((one) => one.isUnanswered && one.sentAt < sentAt)
    if (!isAnyLate && this.#sentSince(sentAt - 2 * windowMs) <= part && this.#isClockTrue())
      this.#world.break(`whatever is broken, a caller under ${part} is not refused`)
    const life = lives.all.findLast((one) => one.node === node)
    const isAlone = life?.links.at(-1)?.isUp === false && (life.links.at(-1)?.at ?? 0) < sentAt - windowMs
    if (isAlone && this.#sentSince(sentAt - windowMs, node) <= part)
      this.#world.break(`without Redis a replica lets ${part} of ${limit} in`)
  }

  /** the most that may be accepted within a window, or in any time as long as one */
  #checkBound(own: Request) {
    const { simulation, lives, plan } = this.#world
    const to = simulation.now
    const [from, windows] = this.#isFirstWindow() ? [this.#firstAt, 1] : [to - this.#shortMs, 2]
    const accepted = this.#acceptedSince(from)
    if (windows === 1 && this.#isAllTold(own, from) && accepted > this.limit && own.acceptedBefore >= this.limit)
      this.#world.break('what was accepted without Redis counts for all once it was told')
    const all = lives.between(from, to)
    const [fewest] = lives.countsIn(from, to)
    const part = Math.max(1, Math.floor(this.limit / fewest))
    const alone = all.filter(
      (life) =>
        trustsSince(life, this.#longMs) > Math.max(from, life.from) ||
        this.#world.isDisturbed(life.node, from - settledMs, to),
    )
    const isCounted = all.some((life) => trustsSometime(life, from, to, plan.windowMs * (1 - drift)))
    const losses = this.#losses(from, to, all)
    const counted = isCounted ? this.limit * (windows + losses) : 0
    // what a replica had of the count before is taken off its part
    const parts = windows === 1 && losses === 0 && isCounted ? Math.min(alone.length, all.length - 1) : alone.length
    const emptied = this.#emptied(from, to, all) * (windows === 1 ? part * (all.length - 1) : this.limit)
    const most = counted + part * parts * (windows + losses) + (isCounted ? emptied : 0)
    if (accepted > most)
      this.#world.break(`of ${this.limit} requests at most ${most} are accepted here, and not ${accepted}`)
  }

  /** Redis counted without a loss, and each replica that accepted without it has asked it again since */
  #isAllTold({ sentAt }: Request, from: number): boolean {
    const { lives, faults, simulation } = this.#world
    const isTold = ({ node, to, links }: Life) => {
      const mine = this.#requests.filter((one) => one.node === node && one.sentAt >= from)
      const last = links.at(-1)
      if (mine.length === 0) return true
      const since = (last?.at ?? 0) + settledMs
      return (
        to === Infinity &&
        last?.isUp === true &&
        mine.every(({ isUnanswered }) => !isUnanswered) &&
        (last.at < from || mine.some((one) => one.sentAt > since && one.sentAt < sentAt - messageMs))
      )
    }
    return (
      faults.isQuiet(settledMs) &&
      this.#world.changesOfRedis(from - this.#longMs, simulation.now, ({ node }) => node === 'redis') === 0 &&
      lives.between(from, simulation.now).every(isTold)
    )
  }

  /** so often Redis lost a count that replicas believed, and that not all of them knew */
  #losses(from: number, to: number, all: readonly Life[]): number {
    const starts = all.filter((one) => one.from > from).length
    return this.#world.changesOfRedis(from - settledMs, to, ({ kind, amount, atMs }) => {
      if (kind === 'redis emptied') return !this.#isKnownTo(all, from, atMs)
      if (kind === 'redis clock') return amount > 0
      return (kind === 'redis empty' || kind === 'redis older') && starts > 0
    })
  }

  /** so often it was emptied while all of them knew its count */
  #emptied(from: number, to: number, all: readonly Life[]): number {
    const isKnown = ({ kind, atMs }: PlannedFault) => kind === 'redis emptied' && this.#isKnownTo(all, from, atMs)
    return this.#world.changesOfRedis(from - settledMs, to, isKnown)
  }

  /** each of them had an answer some time before this */
  #isKnownTo(all: readonly Life[], from: number, at: number): boolean {
    const isKnown = ({ node }: Life) =>
      this.#requests.some(
        (one) =>
          one.node === node &&
          one.life === node.life &&
          one.isAllowed !== undefined &&
          one.sentAt >= from &&
          one.sentAt < at - settledMs,
      )
    return all.every(isKnown)
  }

  #checkHeader(own: Request, { remaining, resetSec, allowed }: KeyAllowance) {
    const { limit } = this
    const { now } = this.#world.simulation
    const { windowMs } = this.#world.plan
    if (resetSec < 1 || resetSec > windowMs / 1_000 || remaining < 0) this.#world.break('what is told is possible')
    if (!this.#isFirstWindow()) return
    const here = this.#requests.filter(
      (one) => one.sentAt >= this.#firstAt && one.isAllowed && one.node === own.node && one.life === own.life,
    ).length
    const isSimple = this.#world.changesOfRedis(this.#firstAt, now, () => true) === 0
    if (isSimple && remaining > limit - here)
      this.#world.break(`of ${limit}, with ${here} accepted here, ${remaining} are not left`)
    if (!this.#isExact(2 * this.#longMs)) return
    const most = limit - own.acceptedBefore - (allowed ? 1 : 0)
    const least = Math.max(0, limit - this.#sentSince(this.#firstAt))
    if (remaining > most || remaining < least)
      this.#world.break(`what is left is told as it is: ${least} to ${most}, and not ${remaining}`)
    const leftMs = this.#firstAt + windowMs - now
    const slackMs = messageMs + drift * windowMs
    if (resetSec * 1_000 < leftMs - slackMs || resetSec * 1_000 > leftMs + slackMs + 1_000)
      this.#world.break(`the end of the window is told as it is: in ${Math.round(leftMs)} ms, and not ${resetSec} s`)
  }
}
