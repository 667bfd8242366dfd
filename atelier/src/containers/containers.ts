// The containers of all accounts: found, created, ended and removed.
import type { Egress } from '../egress/egress.ts'
import type { Engine } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import { isId } from '../ids.ts'
import { refuse } from '../problems.ts'
import type { Limits } from '../settings.ts'
import type { ContainerFilter, ContainerRecord, ContainerRows } from '../store/container-rows.ts'
import type { ImageRows } from '../store/image-rows.ts'
import type { Found, Place } from '../store/listing.ts'
import { createActivity } from './activity.ts'
import { createCreation } from './create.ts'
import { createRefresh } from './refresh.ts'
import { createRemoval } from './remove.ts'
import { createUnderWay } from './under-way.ts'

const keptMs = 24 * 60 * 60_000

export interface ContainersOptions {
  readonly engine: Engine
  readonly rows: ContainerRows
  readonly images: ImageRows
  readonly limits: Limits
  readonly isEgressAllowed: boolean
  readonly egress: Egress
  /** what other rooms keep of a container goes with it */
  readonly forgotten: (id: string) => Promise<unknown>
  readonly now: () => number
  readonly observe: Observe
}

function checkRunning({ status, reason }: ContainerRecord) {
  if (status !== 'running') throw refuse('container_not_running', { status, statusReason: reason })
}

export function createContainers(options: ContainersOptions) {
  const { rows, now } = options
  const activity = createActivity(rows, now)
  const underWay = createUnderWay()
  const { work, shown } = activity
  const removeOnce = createRemoval({ ...options, activity, underWay })

  const findAny = async (account: string, id: string) => (isId('ct', id) ? rows.findOf(account, id) : undefined)

  async function find(account: string, id: string): Promise<ContainerRecord> {
    const record = await findAny(account, id)
    if (!record || record.status === 'creating' || (record.deletedAt !== null && now() - record.deletedAt >= keptMs))
      throw refuse('container_not_found')
    return shown(record)
  }

  return {
    ...createRefresh({ ...options, work, underWay }),
    create: createCreation({ ...options, underWay }),
    find,
    work,
    /** a running container of the account */
    async running(account: string, id: string): Promise<ContainerRecord> {
      const record = await find(account, id)
      checkRunning(record)
      return record
    },
    async page(filter: ContainerFilter, after: Place | undefined, limit: number): Promise<Found<ContainerRecord>> {
      const { items, next } = await rows.page(filter, after, limit)
      return { items: items.map(shown), next }
    },
    async delete(account: string, id: string, graceSeconds: number): Promise<ContainerRecord> {
      // the wait would tell another account that the container is there
      if (!(await findAny(account, id))) throw refuse('container_not_found')
      await underWay.wait(id)
      await find(account, id)
      const removed = await removeOnce(id, 'user_deleted', graceSeconds)
      if (!removed) throw refuse('container_not_found')
      return removed
    },
    removeOnce,
    isUnderWay: (id: string) => underWay.has(id),
    writeActivity: () => activity.write(),
    idleSince: (record: ContainerRecord): number => shown(record).activeAt,
  }
}

export type Containers = ReturnType<typeof createContainers>
