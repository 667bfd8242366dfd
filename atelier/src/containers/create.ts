// Creates a container: the row first, so that nothing in the engine is unaccounted for, wherever the service ends.
import { type Egress, shownEgress } from '../egress/egress.ts'
import type { SettledEgress } from '../egress/wish.ts'
import { type Engine, EngineError } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import { containerMark } from '../exec/starter.ts'
import { createLostImages } from '../images/lost-images.ts'
import { imageNotReady, Problem, refuse } from '../problems.ts'
import type { Limits } from '../settings.ts'
import type { ContainerRecord, ContainerRows, NewContainer } from '../store/container-rows.ts'
import type { ImageRecord, ImageRows } from '../store/image-rows.ts'
import { startContainer } from './start.ts'
import type { UnderWay } from './under-way.ts'
import { checkWish, type ContainerWish, settle, standardIdleSeconds, standardTtlSeconds } from './wish.ts'

export interface CreationParts {
  readonly engine: Engine
  readonly rows: ContainerRows
  readonly images: ImageRows
  readonly limits: Limits
  readonly isEgressAllowed: boolean
  readonly egress: Egress
  readonly underWay: UnderWay
  readonly now: () => number
  readonly observe: Observe
}

async function findImage(images: ImageRows, account: string, name: string): Promise<ImageRecord> {
  const isGivenById = name.startsWith('img_')
  const found = await (isGivenById ? images.findVisible(account, name) : images.findByName(account, name))
  if (!found || found.deletedAt !== null) throw new Problem('image_not_found')
  if (found.status !== 'ready' || found.engineId === null) throw imageNotReady(found.status)
  return found
}

interface Founded {
  readonly image: ImageRecord
  readonly egress: SettledEgress | null
  readonly at: number
}

function rowOf(account: string, wish: ContainerWish, { image, egress, at }: Founded): Omit<NewContainer, 'id'> {
  const { ttlSeconds = standardTtlSeconds, idleTimeoutSeconds = standardIdleSeconds, name = null } = wish
  return {
    account,
    name,
    image: image.id,
    spec: { ...settle(wish, image.config), imageName: image.name, ...shownEgress(egress) },
    createdAt: at,
    activeAt: at,
    expiresAt: at + ttlSeconds * 1_000,
    idleMs: idleTimeoutSeconds === null ? null : idleTimeoutSeconds * 1_000,
  }
}

export function createCreation(parts: CreationParts) {
  const { engine, rows, images, limits, isEgressAllowed, egress, underWay, now, observe } = parts
  const lostImages = createLostImages({ engine, rows: images, observe })
  return async (account: string, wish: ContainerWish, id: string): Promise<ContainerRecord> => {
    checkWish(wish)
    const reached = egress.settle(wish)
    if (wish.network === 'egress' && !isEgressAllowed) throw refuse('not_opened', { field: 'network' })
    const image = await findImage(images, account, wish.image)
    const row = { ...rowOf(account, wish, { image, egress: reached, at: now() }), id }
    const env = { ...image.config.env, ...egress.environmentOf(reached), ...wish.env, ...containerMark }
    const starting = { id, account, image, spec: row.spec, env, reached }
    async function make() {
      const added = await rows.add(row, limits)
      if (added === 'name_in_use') throw refuse('name_in_use')
      if (added !== 'added') throw refuse('quota_exceeded', { ...added })
      return startContainer(starting, { engine, rows, egress, now })
    }
    // from before its row is there: a reconciliation would take the row for one of an earlier process
    const startedAt = await underWay.track(id, make()).catch(async (error: unknown) => {
      const isGone = error instanceof EngineError && error.fault === 'image_gone'
      throw isGone && (await lostImages.check(image)) ? imageNotReady('failed') : error
    })
    // not read again: a creation that failed after the start would leave a container that nobody knows of
    return { ...row, status: 'running', reason: null, exitCode: null, startedAt, deletedAt: null }
  }
}
