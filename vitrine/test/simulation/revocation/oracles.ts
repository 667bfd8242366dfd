// What must hold of each use of a grant: refused soon after it was taken away, and else accepted, or 503 where that is stated.
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { beginsMs, isOfDatabase, type PlannedFault } from './plan.ts'
import type { Grant, Used } from './replica.ts'
import type { World } from './world.ts'

/** a record, and a mark, are used for so long; messages and a clock that drifts may add a little */
const takenMs = 500 + 10
/** what a woken process had begun ends by then */
const wokenMs = 600
/** after so long without a fault all is as if there had been none */
export const quietMs = 6_000
/** a query is waited for 200 ms where a record could be used, and then the mark is asked for */
const fromMemoryMs = 400
/** a read ends within this time, whatever server and network do; then a timer fires, and a mark may be asked for */
const readMs = 2_000 + 200
/** what another caller asked, and is refused, is asked again */
const refusedMs = 2_000 + readMs

/** an act reads for 2 s, changes within 4 s, and tries for a second to tell, with messages that are under way */
export const actMs = 2_000 + 4_000 + 1_000 + 1_000

export interface Use {
  readonly node: SimulatedNode
  readonly grant: Grant
  readonly begunAt: number
  readonly used: Used
}

/** a grant that an operator tries to take away */
interface Tried {
  readonly firstAt: number
  readonly lastAt: number
  readonly by: SimulatedNode
  readonly life: number
  acknowledgedAt: number | undefined
  /** when it was known that all replicas are told */
  toldAt: number | undefined
}

const isGone = ({ kind }: PlannedFault): boolean => kind === 'postgres gone'

export class Oracles {
  readonly #world: World
  readonly #tried = new Map<Grant, Tried>()
  /** when a replica surely read a record */
  readonly #confirmed = new Map<SimulatedNode, Map<Grant, number>>()
  #lastActAt = Number.NEGATIVE_INFINITY
  readonly #acts = new Set<{ readonly by: SimulatedNode; readonly life: number }>()

  constructor(world: World) {
    this.#world = world
  }

  get #now(): number {
    return this.#world.simulation.now
  }

  /** an act begins; what is returned ends it */
  begin(grant: Grant, by: SimulatedNode) {
    const { firstAt, toldAt } = this.#tried.get(grant) ?? { firstAt: this.#now, toldAt: undefined }
    this.#tried.set(grant, { firstAt, lastAt: this.#now, by, life: by.life, acknowledgedAt: undefined, toldAt })
    const own = { by, life: by.life }
    this.#acts.add(own)
    this.#lastActAt = this.#now
    return () => {
      this.#acts.delete(own)
      this.#lastActAt = this.#now
    }
  }

  get #isActing(): boolean {
    return [...this.#acts].some(({ by, life }) => by.life === life && !by.isDown)
  }

  acknowledged(grant: Grant, isTold: boolean) {
    const tried = this.#tried.get(grant)
    if (!tried) return
    tried.acknowledgedAt = this.#now
    if (isTold) tried.toldAt ??= this.#now
  }

  /** now and then: what was done and not told is told once a replica reaches both */
  look() {
    const { replicas, plan } = this.#world
    const isLongQuiet = this.#isQuiet(2 * quietMs) && this.#now - this.#lastActAt > 2 * quietMs
    if (isLongQuiet && this.#hasUntold)
      this.#world.break('what was not told to all replicas is told once Redis answers')
    for (const [grant, tried] of this.#tried) {
      if (tried.toldAt !== undefined || !this.#world.isTaken(grant)) continue
      const { lastAt, by, life, acknowledgedAt = Number.POSITIVE_INFINITY } = tried
      const untold = by.life === life ? replicas.get(by)?.parts?.outage.unpublishedUntil() : undefined
      const isRelayed = this.#isRelayed(Math.min(acknowledgedAt, lastAt + actMs))
      const isTold = acknowledgedAt < this.#now && untold === undefined && by.life === life
      const isLong = this.#now > acknowledgedAt + plan.boundMs * 1.01 + takenMs
      if (isTold || isLong || isRelayed) tried.toldAt = this.#now
    }
  }

  /** something is still to be told, which takes time that is not left out */
  get isTelling(): boolean {
    return (
      this.#hasUntold ||
      [...this.#tried].some(([grant, { toldAt }]) => toldAt === undefined && this.#world.isTaken(grant))
    )
  }

  get #hasUntold(): boolean {
    return [...this.#world.replicas.values()].some(({ parts }) => parts?.outage.unpublishedUntil() !== undefined)
  }

  /** some replica reaches both for so long since the act that it told the others */
  #isRelayed(since: number): boolean {
    const { nodes, faults, replicas } = this.#world
    if (this.#isActing || this.#now - since < quietMs) return false
    const concerns = (name: string) => (fault: PlannedFault) =>
      [name, 'redis', 'postgres'].includes(fault.node) && fault.kind !== 'postgres lagging'
    return nodes.some((node) => {
      const isThere = !node.isDown && replicas.get(node)?.parts !== undefined && this.#startedBefore(node)
      return isThere && faults.wasQuiet(quietMs, concerns(node.name))
    })
  }

  /** it serves for so long */
  #startedBefore(node: SimulatedNode): boolean {
    return this.#now - (this.#world.replicas.get(node)?.openSince ?? this.#now) > quietMs
  }

  #isQuiet(sinceMs: number): boolean {
    return this.#now > beginsMs - 2_000 && this.#world.faults.wasQuiet(sinceMs)
  }

  /** connections to a machine that vanished are dropped once they are used, or have been idle for 10 s */
  get #hasNoDeadConnection(): boolean {
    return this.#world.faults.wasQuiet(2 * quietMs, isGone)
  }

  /** such connections are to be dropped, which takes time that is not left out */
  get isDropping(): boolean {
    return !this.#hasNoDeadConnection && this.#world.faults.wasQuiet(0, isGone)
  }

  used(use: Use) {
    const { node, begunAt } = use
    if (this.#world.faults.wasStopped(node, this.#now - begunAt + wokenMs)) return
    const isKnown = this.#readsContinue(use)
    if (isKnown && use.used !== 'accepted') this.#world.break('reads continue without the database')
    const foundMs = this.#tried.has(use.grant) ? refusedMs : readMs
    const mostMs = isKnown ? fromMemoryMs : foundMs
    if (this.#now - begunAt > mostMs)
      this.#world.break(`a read ${isKnown ? 'from memory ' : ''}ends within ${mostMs} ms`)
    if (use.used === 'accepted') this.#accepted(use)
    else if (use.used === 'refused' && !this.#tried.has(use.grant))
      this.#world.break('what was never taken away is not refused')
    else if (use.used === 'store_unavailable' && this.#isQuiet(quietMs) && this.#hasNoDeadConnection)
      this.#world.break('while nothing is broken, the store is there')
  }

  #accepted({ node, grant, begunAt }: Use) {
    const tried = this.#tried.get(grant)
    if (tried && this.#isLate(tried, node, begunAt) && this.#world.isTaken(grant))
      this.#world.break(`what was taken away is refused ${takenMs} ms after the acknowledgement`)
    const { plan, servedAt } = this.#world
    const mostMs = plan.hasRedis ? plan.boundMs : takenMs
    if (begunAt > (servedAt.get(node) ?? 0) + mostMs * 1.01)
      this.#world.break(`a record is used at most ${mostMs} ms after the database answered`)
    if (!this.#isQuiet(quietMs) || this.#isActing || this.#now - this.#lastActAt < quietMs) return
    const known = this.#confirmed.get(node) ?? new Map<Grant, number>()
    this.#confirmed.set(node, known.set(grant, begunAt))
  }

  /** It read the record lately, and nothing but the database is away since. What is read anew meanwhile may be waited for. */
  #readsContinue({ node, grant, begunAt }: Use): boolean {
    const { plan, faults, servedAt } = this.#world
    if ((servedAt.get(node) ?? 0) > begunAt) return false
    const confirmedAt = this.#confirmed.get(node)?.get(grant)
    if (!plan.hasRedis || confirmedAt === undefined || this.#isActing || this.#lastActAt > confirmedAt) return false
    if (begunAt - confirmedAt > plan.boundMs - 2_000) return false
    return faults.wasQuiet(this.#now - confirmedAt + quietMs, (fault) => !isOfDatabase(fault))
  }

  /** `by` died with its change: what was read before it began is not used, as the first change of the mark came before */
  #isLate(tried: Tried, node: SimulatedNode, begunAt: number): boolean {
    const { firstAt, lastAt, by, life, toldAt = Number.POSITIVE_INFINITY } = tried
    if (begunAt > toldAt + takenMs) return true
    const { faults, servedAt } = this.#world
    const isDead = by.life !== life && !this.#isActing
    const isOld = (servedAt.get(node) ?? 0) < firstAt && begunAt > lastAt + actMs
    return isDead && isOld && faults.wasQuiet(this.#now - firstAt + quietMs, (fault) => !isOfDatabase(fault))
  }
}
