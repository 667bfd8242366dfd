// The images of accounts and of the operator: found, and deleted once nothing uses them.
import { type Engine, EngineError } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import { isId } from '../ids.ts'
import { Problem, refuse } from '../problems.ts'
import type { ContainerRows } from '../store/container-rows.ts'
import type { ImageRecord, ImageRows } from '../store/image-rows.ts'
import type { Builder } from './builder.ts'
import { type Checkpoints, isCheckpoint } from './cache/checkpoints.ts'
import { createLostImages } from './lost-images.ts'

const keptMs = 24 * 60 * 60_000

export interface ImagesParts {
  readonly engine: Engine
  readonly rows: ImageRows
  readonly containers: ContainerRows
  readonly builder: Pick<Builder, 'cancel' | 'isAtWork'>
  readonly checkpoints: Checkpoints
  readonly now: () => number
  readonly observe: Observe
}

export function createImages({ engine, rows, containers, builder, checkpoints, now, observe }: ImagesParts) {
  const lostImages = createLostImages({ engine, rows, observe })
  let strangers = new Set<string>()

  /** deleted ones, too: a repeated deletion is no failure */
  async function findAny(account: string, id: string): Promise<ImageRecord> {
    const image = isId('img', id) ? await rows.findVisible(account, id) : undefined
    if (!image) throw new Problem('image_not_found')
    return image
  }

  async function removeFromEngine(id: string) {
    try {
      await engine.removeImage(id)
    } catch (error) {
      if (error instanceof EngineError && error.fault === 'image_in_use') throw refuse('image_in_use')
      throw error
    }
  }

  return {
    async find(account: string, id: string): Promise<ImageRecord> {
      const image = await findAny(account, id)
      if (image.deletedAt !== null) throw new Problem('image_not_found')
      return image
    },

    async delete(account: string, id: string): Promise<void> {
      const image = await findAny(account, id)
      if (image.account === null)
        throw refuse('forbidden', undefined, { message: 'A base image belongs to the operator.' })
      if (image.deletedAt !== null && now() - image.deletedAt >= keptMs) throw new Problem('image_not_found')
      if (image.deletedAt !== null) return
      await builder.cancel(id)
      const users = await containers.countOf(id)
      if (users > 0) throw refuse('image_in_use', { containers: users })
      const { status, engineId } = (await rows.find(id)) ?? image
      // first, so that its layers go with it
      if (engineId !== null) await checkpoints.removeOf(account, engineId)
      if (status === 'ready') await removeFromEngine(id)
      await rows.deleted(id, now())
      if (!(await rows.hasAny(account))) await checkpoints.removeOf(account)
    },

    /** after a start: builds that the end of the service cut */
    async endInterrupted() {
      for (const { id } of await rows.unfinished())
        if (!builder.isAtWork(id)) {
          const error = { type: 'interrupted', message: 'The service ended during the build.', step: null } as const
          await rows.finished(id, { status: 'failed', error, sizeBytes: null, engineId: null }, now())
        }
    },

    /** marks images that the engine lost, and removes those of the engine that have no row and no container */
    async reconcile() {
      const earlier = strangers
      strangers = new Set()
      const cached = await checkpoints.rows()
      const there = new Set((await engine.images()).keys())
      await checkpoints.reconcile(cached, there, cached.length > 0 ? await rows.living() : [])
      await lostImages.reconcile(there)
      for (const id of there) {
        if (isCheckpoint(id) || builder.isAtWork(id.replace(/-empty$/, ''))) continue
        const image = await rows.find(id)
        // an import marks its image before it writes the row: only what has no row twice is removed
        if (!image) strangers.add(id)
        if (!image && !earlier.has(id)) continue
        const isNeeded = image?.deletedAt === null && image.status === 'ready'
        if (!isNeeded && (await containers.countOf(id)) === 0) await engine.removeImage(id).catch(() => {})
      }
    },
  }
}

export type Images = ReturnType<typeof createImages>
