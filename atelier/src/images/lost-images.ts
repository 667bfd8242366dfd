// Images that the engine no longer has, after a prune or without its storage: they are failed until it has them again.
import { type Engine, EngineError } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import type { ImageRecord, ImageRows } from '../store/image-rows.ts'

const fault = { type: 'engine_error', message: 'The engine no longer has this image.', step: null } as const

/** one image that the engine cannot describe keeps no other from its turn */
function unlessOfImage(error: unknown) {
  if (!(error instanceof EngineError) || error.fault === 'unavailable') throw error
}

export interface LostImagesParts {
  readonly engine: Pick<Engine, 'image'>
  readonly rows: ImageRows
  readonly observe: Observe
}

export function createLostImages({ engine, rows, observe }: LostImagesParts) {
  /** true: the engine does not have it, and the row says so */
  async function check({ id, engineId }: ImageRecord): Promise<boolean> {
    if (engineId === null || (await engine.image(engineId))) return false
    if ((await rows.lost(id, fault)) > 0) observe({ kind: 'image_lost', imageId: id })
    return true
  }

  return {
    check,
    /** `there`: ids of the images of this instance, which the engine listed before the rows were read */
    async reconcile(there: ReadonlySet<string>) {
      for (const image of await rows.living()) {
        if (image.status === 'ready' && !there.has(image.id)) await check(image).catch(unlessOfImage)
        const isLost = image.status === 'failed' && image.engineId !== null
        if (isLost && there.has(image.id) && (await rows.regained(image.id)) > 0)
          observe({ kind: 'image_regained', imageId: image.id })
      }
    },
  }
}
