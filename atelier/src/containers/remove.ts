// Removes a container from the engine, then marks its row: until the engine has nothing of it, the row accounts for it.
import type { Engine } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import type { ContainerRecord, ContainerRows, StatusReason } from '../store/container-rows.ts'
import type { Activity } from './activity.ts'
import type { UnderWay } from './under-way.ts'

export interface RemovalParts {
  readonly engine: Engine
  readonly rows: ContainerRows
  readonly activity: Activity
  readonly underWay: UnderWay
  /** what other rooms keep of a container goes with it */
  readonly forgotten: (id: string) => Promise<unknown>
  readonly now: () => number
  readonly observe: Observe
}

export function createRemoval({ engine, rows, activity, underWay, forgotten, now, observe }: RemovalParts) {
  async function remove(record: ContainerRecord, reason: StatusReason, graceSeconds: number) {
    const { id } = record
    activity.work.endAll(id, reason)
    if (record.status === 'running' && graceSeconds > 0) await engine.stop(id, graceSeconds)
    await engine.remove(id)
    await rows.deleted(id, reason, now())
    activity.forget(id)
    await forgotten(id)
    observe({ kind: 'container_ended', containerId: id, status: 'deleted', reason })
  }

  /** one removal at a time; others wait for it and get its result */
  return async function removeOnce(
    id: string,
    reason: StatusReason,
    graceSeconds: number,
  ): Promise<ContainerRecord | undefined> {
    await underWay.wait(id)
    const record = await rows.find(id)
    if (!record || record.status === 'deleted') return record
    if (underWay.has(id)) return removeOnce(id, reason, graceSeconds)
    await underWay.track(id, remove(record, reason, graceSeconds))
    return rows.find(id)
  }
}
