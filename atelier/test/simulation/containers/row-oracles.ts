// What is promised of rows and of the engine's containers, looked at every few seconds: what callers were told of stays, a key makes
// one container, and once all is settled the two agree and nothing is overdue.
import type { SqlRow } from '../../../../base/store/sql.ts'
import { instance } from './engine.ts'
import { accounts } from './plan.ts'
import { mostContainers } from './service.ts'
import type { ContainersWorld } from './world.ts'

/** due containers go within 10 s; with the time of the calls */
const dueMs = 12_000
/** a sweep writes activity every 2 s: one that was killed in between wrote none */
const noise = 3_000

const unaccounted = new Set<string>([
  'kill',
  'restart',
  'killed in an act',
  'engine late',
  'list of the past',
  'store refuses',
  'store denies',
])
const ownForm = /^ct_[0-9a-z]{26}$/

const later: Readonly<Record<string, readonly string[]>> = {
  running: ['running', 'exited', 'failed', 'deleted'],
  exited: ['exited', 'deleted'],
  failed: ['failed', 'deleted'],
  deleted: ['deleted'],
}

interface Row {
  readonly id: string
  readonly account: string
  readonly status: string
  readonly reason: string | null
  readonly startedAt: number | null
  readonly activeAt: number
  readonly expiresAt: number
  readonly idleMs: number | null
  readonly deletedAt: number | null
  /** the Idempotency-Key that asked for it */
  readonly wish: string | undefined
}

export class RowOracles {
  readonly #world: ContainersWorld
  /** of each row, read once */
  readonly #wishes = new Map<string, string | undefined>()
  #rows: readonly Row[] = []
  #readAt = -1
  #wakesAt = 0

  constructor(world: ContainersWorld) {
    this.#world = world
  }

  #rowOf(row: SqlRow): Row {
    const id = row['id'] as string
    if (!this.#wishes.has(id))
      this.#wishes.set(id, (JSON.parse(row['spec'] as string) as { labels: Record<string, string> }).labels['wish'])
    return {
      id,
      account: row['account'] as string,
      status: row['status'] as string,
      reason: row['reason'] as string | null,
      startedAt: row['started_at'] as number | null,
      activeAt: row['active_at'] as number,
      expiresAt: row['expires_at'] as number,
      idleMs: row['idle_ms'] as number | null,
      deletedAt: row['deleted_at'] as number | null,
      wish: this.#wishes.get(id),
    }
  }

  look() {
    if (this.#read()) {
      this.#checkKnown()
      this.#checkEnded()
      this.#checkKeys()
      this.#checkQuota()
    }
    this.#checkAccounted()
    if (this.#world.isSettled()) {
      const disorder = this.disorder()
      if (disorder !== undefined) this.#world.break(disorder)
    }
    this.#wakeAtDue()
  }

  /** false: nothing was written since */
  #read(): boolean {
    const { writes } = this.#world.store
    if (writes === this.#readAt) return false
    this.#readAt = writes
    this.#rows = this.#world.store.look('SELECT * FROM containers').map((row) => this.#rowOf(row))
    return true
  }

  /** rows of creations */
  get unfinished(): number {
    return this.#world.store.look(`SELECT 1 FROM containers WHERE status = 'creating'`).length
  }

  /** rows of containers that ran */
  get started(): number {
    return this.#world.store.look(`SELECT 1 FROM containers WHERE started_at IS NOT NULL`).length
  }

  /** Until the engine has nothing of it, a row accounts for it; else only where a process ended, or the engine acts later. */
  #checkAccounted() {
    const { plan, engine } = this.#world
    if (plan.items.some(({ kind }) => unaccounted.has(kind))) return
    const living = new Set(this.#rows.filter(({ status }) => status !== 'deleted').map(({ id }) => id))
    for (const { name } of engine.containers.values())
      if (ownForm.test(name) && !living.has(name)) this.#world.break('each container has a row that accounts for it')
  }

  #checkKnown() {
    const rows = new Map(this.#rows.map((row) => [row.id, row]))
    for (const known of this.#world.expectations.known.values()) {
      const row = rows.get(known.id)
      if (!row) return this.#world.break('a container that a caller was told of has its row')
      if (!later[known.status]?.includes(row.status))
        return this.#world.break(`a container that is ${known.status} never is ${row.status}`)
      known.status = row.status
      this.#checkReason(row)
    }
  }

  #checkReason(row: Row) {
    const { id, status, reason, deletedAt, expiresAt } = row
    const { lost, hasClock, expectations } = this.#world
    const known = expectations.known.get(id)
    const mayEnd = lost.has(id) || known?.isDeletionAsked || this.#dueAt(row) <= this.#world.now()
    if (status === 'failed' && !mayEnd) this.#world.break('a container counts as lost only if it is')
    if (status === 'exited' && !mayEnd) this.#world.break('a container counts as exited only if it is')
    if (reason === 'ttl_expired' && !hasClock && Number(deletedAt) < expiresAt)
      this.#world.break('a container has all of its time')
    if (reason === 'user_deleted' && !known?.isDeletionAsked)
      this.#world.break('a container is deleted by callers only if one asked for it')
  }

  #checkEnded() {
    for (const { id, status, reason, startedAt } of this.#rows) {
      if (status !== 'exited' && status !== 'failed') continue
      if (startedAt === null) this.#world.break('a container that never started never ended')
      if (reason === 'engine_lost' && this.#world.engine.containers.has(id))
        this.#world.break('a container counts as lost only if the engine has nothing of it')
    }
  }

  /** a store that fails may leave a row of a container that was removed again */
  #checkKeys() {
    const { plan, expectations } = this.#world
    const mayBeLeft = plan.items.some(({ kind }) => kind.startsWith('store '))
    const started = new Map<string, string>()
    for (const { id, wish, startedAt, status } of this.#rows) {
      if (wish === undefined || startedAt === null) continue
      if (mayBeLeft && status === 'failed' && !expectations.known.has(id)) continue
      if (started.has(wish)) return this.#world.break('an Idempotency-Key makes one container, and not two')
      started.set(wish, id)
    }
  }

  #checkQuota() {
    for (const account of accounts) {
      const own = this.#rows.filter((row) => row.account === account && !/^(?:deleted|failed)$/.test(row.status))
      if (own.length > mostContainers) this.#world.break(`an account has at most ${mostContainers} containers`)
    }
  }

  #dueAt({ id, expiresAt, idleMs, activeAt }: Row): number {
    const known = this.#world.expectations.known.get(id)
    if (idleMs === null || (known?.uses ?? 0) > 0) return expiresAt
    return Math.min(expiresAt, Math.max(activeAt, known?.activeAt ?? 0) + idleMs)
  }

  /** what rows and engine say of each other that they must not; undefined: all is in order */
  disorder(): string | undefined {
    const { engine, callers } = this.#world
    this.#read()
    const now = this.#world.node.now()
    const rows = new Map(this.#rows.map((row) => [row.id, row]))
    for (const { labels, name } of engine.containers.values()) {
      const id = labels['atelier.id'] ?? ''
      const status = rows.get(id)?.status ?? 'deleted'
      if (labels['atelier.instance'] !== instance || callers.isMaking) continue
      if (status === 'deleted' || status === 'creating' || name !== id) return 'no container is left without its row'
    }
    for (const row of this.#rows) {
      if (row.status === 'creating' && !callers.isMaking) return 'no row is left of a container that never started'
      const isEnding = this.#dueAt(row) <= now || callers.isMaking
      if (row.status === 'running' && engine.containers.get(row.id)?.state !== 'running' && !isEnding)
        return 'no row says that a container runs which does not'
      if (row.status !== 'deleted' && this.#dueAt(row) + dueMs + noise < now) return 'due containers go within 10 s'
    }
    return undefined
  }

  /** rows and engine agree, and nothing is due soon */
  isInOrder(): boolean {
    return this.disorder() === undefined && this.#soonest() > this.#world.node.now() + dueMs
  }

  #soonest(): number {
    return Math.min(...this.#rows.filter(({ status }) => status !== 'deleted').map((row) => this.#dueAt(row)))
  }

  /** so that no time is left out in which a container becomes due */
  #wakeAtDue() {
    const { simulation, node } = this.#world
    const soonest = this.#soonest()
    if (soonest === Infinity) return
    const at = simulation.now + node.trueMs(soonest - node.now())
    if (at < simulation.now || Math.abs(at - this.#wakesAt) < 1_000) return
    this.#wakesAt = at
    simulation.at(at, simulation.world, () => {})
  }
}
