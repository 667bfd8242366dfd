// Ends containers that are due, hold too much or were lost, and removes engine objects that no row accounts for.
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../../base/core/problem.ts'
import { messageOf } from '../../../base/store/sql.ts'
import { type Engine, type EngineContainer, EngineError } from '../engine/port.ts'
import type { Observe, Sweeping } from '../events.ts'
import type { ContainerRecord, ContainerRows, StatusReason } from '../store/container-rows.ts'
import type { Images } from '../images/images.ts'
import type { Containers } from './containers.ts'

const dueEveryMs = 2_000
const sizesEveryMs = 8_000
const reconcileEveryMs = 20_000
const retryMs = 1_000
const settleMs = 400
/** commands of a container that holds too much get this long to end, so that their callers learn the outcome */
const patienceMs = 4_000
const lookMs = 100
const mebibyte = 1024 * 1024

export interface SweepParts {
  readonly engine: Engine
  readonly rows: ContainerRows
  readonly containers: Containers
  /** whether a build of this process has the object */
  readonly isBuilding: (id: string) => boolean
  /** after a start: ends what earlier commands left in a running container */
  readonly images: Pick<Images, 'endInterrupted' | 'reconcile'>
  readonly endCommands: (record: ContainerRecord) => Promise<void>
  readonly now: () => number
  readonly observe: Observe
}

const isGone = ({ status }: ContainerRecord | { status: undefined }): boolean =>
  status === undefined || status === 'deleted'

function reasonOf(record: ContainerRecord, containers: Containers, now: number): StatusReason | undefined {
  if (record.expiresAt <= now) return 'ttl_expired'
  const { idleMs } = record
  return idleMs !== null && containers.idleSince(record) + idleMs <= now ? 'idle_timeout' : undefined
}

async function removeDue({ rows, containers, now }: SweepParts) {
  await containers.writeActivity()
  const due = (await rows.living()).flatMap((record) => {
    const reason = reasonOf(record, containers, now())
    return reason ? [{ id: record.id, reason }] : []
  })
  await Promise.allSettled(due.map(({ id, reason }) => containers.removeOnce(id, reason, 1)))
}

/** Ends containers that hold too much, and those whose size could not be determined twice in a row. */
function largeRemoval({ engine, rows, containers, observe }: SweepParts) {
  let unknown = new Set<string>()
  const remove = async (id: string) => {
    for (let waited = 0; waited < patienceMs && containers.work.isBusy(id); waited += lookMs) await pause(lookMs)
    await containers.removeOnce(id, 'disk_limit', 0)
  }
  return async () => {
    const sizes = await engine.sizes()
    const before = unknown
    const living = await rows.living()
    unknown = new Set(living.flatMap(({ id }) => (sizes.get(id) === null ? [id] : [])))
    for (const containerId of unknown) observe({ kind: 'size_unknown', containerId })
    const isLarge = ({ id, spec }: ContainerRecord) =>
      (sizes.get(id) ?? 0) > spec.limits.diskMiB * mebibyte || (unknown.has(id) && before.has(id))
    await Promise.allSettled(living.filter(isLarge).map(({ id }) => remove(id)))
  }
}

/** an object whose row is gone, or was never finished by an earlier process */
async function removeStray(
  object: EngineContainer,
  { engine, rows, containers, isBuilding }: SweepParts,
): Promise<number> {
  const { id, engineId } = object
  if (containers.isUnderWay(id) || isBuilding(id)) return 0
  const record = (await rows.find(id)) ?? { status: undefined }
  if (!isGone(record) && record.status !== 'creating') return 0
  await engine.remove(engineId)
  // and what has our name: its network
  if (engineId !== id) await engine.remove(id)
  if (record.status === 'creating') await rows.drop(id)
  return 1
}

/** rows that were there before the engine was asked, and still are; answers how many are lost by now */
async function checkRow(
  { id, status }: ContainerRecord,
  there: ReadonlySet<string>,
  { rows, containers }: SweepParts,
): Promise<number> {
  if (containers.isUnderWay(id)) return 0
  if (status === 'creating' && !there.has(id)) return rows.drop(id)
  return status === 'running' && (await containers.refresh(id)) ? 1 : 0
}

/** Goes on with the other objects if one fails. Stops if the engine is away, since all would fail. */
async function inTurn<T>(items: readonly T[], failures: unknown[], act: (item: T) => Promise<number>) {
  let count = 0
  for (const item of items) {
    try {
      count += await act(item)
    } catch (error) {
      if (error instanceof EngineError && error.fault === 'unavailable') throw error
      failures.push(error)
    }
  }
  return count
}

/** returns the failures of single objects */
async function reconcileAll(parts: SweepParts): Promise<readonly unknown[]> {
  const { engine, rows, images, observe } = parts
  const failures: unknown[] = []
  const records = await rows.living()
  const objects = await engine.list()
  const there = new Set(objects.map(({ id }) => id))
  const running = new Set(objects.filter((one) => one.running).map(({ id }) => id))
  const removed = await inTurn(objects, failures, (object) => removeStray(object, parts))
  const stopped = records.filter(({ id }) => !running.has(id))
  const lost = await inTurn(stopped, failures, (record) => checkRow(record, there, parts))
  await images.reconcile()
  if (removed + lost > 0) observe({ kind: 'reconciled', removed, lost })
  return failures
}

export async function reconcile(parts: SweepParts) {
  const [failure] = await reconcileAll(parts)
  if (failure !== undefined) throw failure
}

export interface Sweep {
  /** settles when the first reconciliation is done: the engine may be away until then */
  readonly ready: Promise<void>
  close(): void
}

/** one run at a time; a failure waits for the next */
function repeat(act: () => Promise<void>, everyMs: number): () => void {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    void act()
      .catch(() => {})
      .finally(() => (isRunning = false))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** reports each end of a sweep to the metrics, and the first of several failures in a row to the log */
function reportingOf({ observe }: SweepParts) {
  const failing = new Set<Sweeping>()
  return async (sweep: Sweeping, act: () => Promise<void>) => {
    const beganAt = performance.now()
    const tell = (outcome: 'ok' | 'failed') =>
      observe({ kind: 'swept', sweep, outcome, durationMs: performance.now() - beganAt })
    try {
      await act()
      tell('ok')
      failing.delete(sweep)
    } catch (error) {
      tell('failed')
      if (!failing.has(sweep)) observe({ kind: 'sweep_failed', sweep, reason: failureOf(error) })
      failing.add(sweep)
    }
  }
}

const failureOf = (error: unknown): string =>
  error instanceof Problem ? `${error.code}: ${String(error.extras.cause)}` : messageOf(error)

async function watchEvents(parts: SweepParts, signal: AbortSignal) {
  const { engine, containers } = parts
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      const events = await engine.events(signal)
      // while the engine was away no event was received
      if (!isFirst) void reconcile(parts).catch(() => {})
      // a container that is removed by force dies first: looked at a moment later, it is lost and not exited
      for await (const { id } of events) setTimeout(() => void containers.refresh(id).catch(() => {}), settleMs).unref()
    } catch {}
    await new Promise((again) => setTimeout(again, retryMs).unref())
  }
}

async function firstRun(parts: SweepParts, signal: AbortSignal) {
  const { engine, rows, images, endCommands } = parts
  while (!signal.aborted) {
    try {
      await images.endInterrupted()
      await engine.info()
      await reconcileAll(parts)
      const running = (await rows.living()).filter(({ status }) => status === 'running')
      await Promise.allSettled(running.map((record) => endCommands(record)))
      return
    } catch {
      await new Promise((again) => setTimeout(again, retryMs))
    }
  }
}

export function startSweep(parts: SweepParts): Sweep {
  const stop = new AbortController()
  const { signal } = stop
  const ready = firstRun(parts, signal)
  void ready.then(() => watchEvents(parts, signal))
  const reported = reportingOf(parts)
  const removeLarge = largeRemoval(parts)
  const ends = [
    repeat(() => reported('due', () => removeDue(parts)), dueEveryMs),
    repeat(() => ready.then(() => reported('sizes', removeLarge)), sizesEveryMs),
    repeat(() => ready.then(() => reported('reconcile', () => reconcile(parts))), reconcileEveryMs),
  ]
  return {
    ready,
    close() {
      stop.abort()
      for (const end of ends) end()
    },
  }
}
