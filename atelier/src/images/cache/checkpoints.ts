// Checkpoints: images of the engine that hold the first steps of a build, and the rows that account for them. A row is written
// before the engine makes anything, and goes once the engine has removed it: a service that is killed leaves nothing unknown.
import type { Engine } from '../../engine/port.ts'
import { isId, makeId } from '../../ids.ts'
import type { CheckpointBounds, CheckpointRecord, CheckpointRows } from '../../store/checkpoint-rows.ts'
import type { ImageRecord } from '../../store/image-rows.ts'

export const scratchBase = 'scratch'
const unusedMs = 7 * 24 * 60 * 60_000

export interface CheckpointParts {
  readonly engine: Engine
  readonly rows: CheckpointRows
  /** of an account */
  readonly bounds: CheckpointBounds
  readonly now: () => number
}

export interface CheckpointWish extends Pick<CheckpointRecord, 'account' | 'base' | 'key' | 'depth' | 'sizeBytes'> {
  readonly container: string
  readonly signal: AbortSignal
}

export class Checkpoints {
  readonly #parts: CheckpointParts
  readonly #making = new Set<string>()

  constructor(parts: CheckpointParts) {
    this.#parts = parts
  }

  get isOn(): boolean {
    const { checkpoints, bytes } = this.#parts.bounds
    return checkpoints > 0 && bytes > 0
  }

  readyOn(account: string, base: string): Promise<readonly CheckpointRecord[]> {
    return this.#parts.rows.readyOn(account, base)
  }

  /** whether the engine still has it; else its row goes */
  async use({ id, engineId }: CheckpointRecord): Promise<boolean> {
    const { engine, rows, now } = this.#parts
    const isThere = engineId !== null && (await engine.image(engineId)) !== undefined
    if (isThere) await rows.used(id, now())
    else await this.drop(id)
    return isThere
  }

  /** False: there is one already, or no room. A failure costs the checkpoint alone. */
  async save({ container, signal, ...about }: CheckpointWish): Promise<boolean> {
    const { engine, rows, bounds, now } = this.#parts
    const id = makeId('chk')
    this.#making.add(id)
    try {
      if (!(await rows.add({ id, ...about, createdAt: now() }, bounds))) return false
      await this.#removeEvicted(about.account)
      const engineId = await engine.checkpoint(container, id)
      // a container that was removed meanwhile may have been no longer whole
      signal.throwIfAborted()
      await rows.made(id, engineId)
      return true
    } catch {
      await this.drop(id)
      return false
    } finally {
      this.#making.delete(id)
    }
  }

  /** False: the engine refused, as a build uses it, or is away; a later sweep tries again. */
  async drop(id: string): Promise<boolean> {
    const { engine, rows } = this.#parts
    try {
      await rows.evict(id)
      await engine.removeImage(id)
      await rows.remove(id)
      return true
    } catch {
      return false
    }
  }

  /** all of an account, or those that stand on one image */
  async removeOf(account: string, base?: string): Promise<void> {
    for (const row of await this.#parts.rows.of(account))
      if (base === undefined || row.base === base) await this.drop(row.id)
  }

  /** to be read before the engine is asked what it has */
  rows(): Promise<readonly CheckpointRecord[]> {
    return this.#parts.rows.all()
  }

  /** Removes what no build can use any more, and images of the engine that no row accounts for. */
  async reconcile(known: readonly CheckpointRecord[], there: ReadonlySet<string>, images: readonly ImageRecord[]) {
    const { rows, bounds, now } = this.#parts
    const bases = basesOf(images)
    for (const row of known) {
      if (row.status === 'evicted') continue
      const isKept = row.status === 'ready' ? there.has(row.id) && bases.has(row) : this.#making.has(row.id)
      if (isKept && now() - row.usedAt < unusedMs) continue
      // it may have been finished, or used, since it was read
      const { status, usedAt } = (await rows.find(row.id)) ?? row
      if (status === row.status && usedAt === row.usedAt) await this.drop(row.id)
    }
    for (const account of new Set(known.map((row) => row.account))) {
      await rows.keepWithin(account, bounds)
      await this.#removeEvicted(account)
    }
    for (const id of there) if (isCheckpoint(id) && !this.#making.has(id) && !(await rows.find(id))) await this.drop(id)
  }

  async #removeEvicted(account: string) {
    for (const { id, status } of await this.#parts.rows.of(account)) if (status === 'evicted') await this.drop(id)
  }
}

export const isCheckpoint = (id: string): boolean => isId('chk', id)

/** the images that builds of an account can begin with */
function basesOf(images: readonly ImageRecord[]) {
  const known = new Set(images.map(({ account, engineId }) => `${account ?? ''} ${engineId}`))
  return {
    has: ({ account, base }: CheckpointRecord) =>
      base === scratchBase || known.has(`${account} ${base}`) || known.has(` ${base}`),
  }
}
