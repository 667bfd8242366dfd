// The cache as one build sees it: which of its first steps are there already, and what it leaves for later builds.
import type { Engine } from '../../engine/port.ts'
import type { CheckpointRecord } from '../../store/checkpoint-rows.ts'
import type { Action } from '../dockerfile/plan.ts'
import type { Checkpoints } from './checkpoints.ts'
import { type KeyedSteps, StepKeys } from './step-keys.ts'
import type { Worth } from './worth.ts'

/** each is a layer of the images that are built on it, and engines bound these */
const mostDepth = 8

export interface CachedSteps {
  /** the longest run of first steps that the engine has */
  find(): Promise<FoundSteps | undefined>
  /** the engine lost what was found */
  lose(): void
  before(index: number, action: Action): Promise<void>
  after(index: number, tookMs: number): Promise<void>
}

export interface FoundSteps {
  readonly steps: number
  readonly engineId: string
}

export interface CachedStepsParts extends KeyedSteps {
  readonly checkpoints: Checkpoints
  readonly engine: Engine
  readonly container: string
  readonly signal: AbortSignal
  readonly worth: Worth
  /** what matches is removed, and made anew */
  readonly isRefreshed: boolean
}

const off: CachedSteps = { find: async () => undefined, lose() {}, async before() {}, async after() {} }

export function openCachedSteps(parts: CachedStepsParts): CachedSteps {
  const { checkpoints, engine, container, signal, worth, isRefreshed, account, base, steps } = parts
  if (!checkpoints.isOn) return off
  const keys = new StepKeys(parts)
  let depth = 0

  /** longest first */
  async function matching() {
    const byKey = new Map((await checkpoints.readyOn(account, base)).map((row) => [row.key, row]))
    const found: { readonly steps: number; readonly row: CheckpointRecord }[] = []
    for (let count = steps.length; byKey.size > 0 && count > 0; count--) {
      const row = byKey.get((await keys.after(count)) ?? '')
      if (!row) continue
      byKey.delete(row.key)
      found.push({ steps: count, row })
    }
    return found
  }

  async function save(count: number, isWorth: (bytes?: number) => boolean) {
    if (depth >= mostDepth || !isWorth()) return
    const begunAt = performance.now()
    const key = await keys.after(count)
    const sizeBytes = await engine.size(container).catch(() => undefined)
    if (key === undefined || sizeBytes === undefined || !isWorth(sizeBytes)) return
    const isMade = await checkpoints.save({ account, base, key, depth: depth + 1, sizeBytes, container, signal })
    worth.saved(isMade ? performance.now() - begunAt : 0)
  }

  return {
    async find() {
      for (const { steps: count, row } of await matching()) {
        if (isRefreshed) await checkpoints.drop(row.id)
        else if (await checkpoints.use(row)) {
          depth = row.depth
          return { steps: count, engineId: row.engineId! }
        }
      }
      return undefined
    },
    lose() {
      depth = 0
    },
    async before(index, { kind }) {
      if (kind === 'copy') await save(index, (bytes) => worth.isWorthBefore(bytes))
    },
    async after(index, tookMs) {
      worth.ran(tookMs)
      await save(index + 1, (bytes) => worth.isWorthAfter(bytes))
    },
  }
}
