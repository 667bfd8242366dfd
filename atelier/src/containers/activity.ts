// When each container was last used. Times are kept here, and written together now and then.
import type { ContainerRecord, ContainerRows } from '../store/container-rows.ts'
import { createLiveWork, type LiveWork } from './live.ts'

export interface Activity {
  readonly work: LiveWork
  /** the record with its last activity */
  readonly shown: (record: ContainerRecord) => ContainerRecord
  write(): Promise<void>
  forget(id: string): void
}

export function createActivity(rows: ContainerRows, now: () => number): Activity {
  const activeAt = new Map<string, number>()
  const work = createLiveWork((id) => activeAt.set(id, now()))
  return {
    work,
    shown: (record) => ({
      ...record,
      activeAt: work.isBusy(record.id) ? now() : Math.max(record.activeAt, activeAt.get(record.id) ?? 0),
    }),
    async write() {
      for (const id of work.busy()) activeAt.set(id, now())
      const noted = [...activeAt]
      for (const [id, at] of noted) {
        await rows.active(id, at)
        // kept until it is written, and where there was more meanwhile
        if (activeAt.get(id) === at) activeAt.delete(id)
      }
    },
    forget: (id) => void activeAt.delete(id),
  }
}
