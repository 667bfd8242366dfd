// Adds the hours of this process to those in the store, every minute and at its end, and reads them for the console.
// Replicas add to the same rows. While the store is away, sums wait in memory.
import { setTimeout as pause } from 'node:timers/promises'
import { addSums, type HourSums, noSums, readSums } from './hour-sums.ts'
import { hoursKept, type UnsavedHours } from './hours.ts'
import type { HourRecords } from '../store/records.ts'

const everyMs = 60_000
/** at most, at the end of the process */
const patienceMs = 1_000

const merge = (stored: string | undefined, more: HourSums): string =>
  JSON.stringify(addSums((stored === undefined ? undefined : readSums(stored)) ?? noSums, more))

export type HourKeeper = ReturnType<typeof keepHours>

export function keepHours(records: HourRecords, unsaved: UnsavedHours) {
  const ending = new AbortController()
  let last: Promise<unknown> = Promise.resolve()

  /** a read during a write could count sums twice, or not at all */
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = last.then(act)
    last = turn.catch(() => {})
    return turn
  }

  async function save() {
    const hours = unsaved.take()
    try {
      await records.add(hours, merge, unsaved.hour() - hoursKept)
    } catch {
      unsaved.giveBack(hours)
    }
  }

  async function read(hour: number): Promise<ReadonlyMap<number, HourSums>> {
    const rows = await records.since(hour)
    const sums = new Map<number, HourSums>()
    for (const row of rows) {
      const found = readSums(row.sums)
      if (found) sums.set(row.hour, found)
    }
    const pending = unsaved.take()
    unsaved.giveBack(pending)
    for (const [one, more] of pending) if (one >= hour) sums.set(one, addSums(sums.get(one) ?? noSums, more))
    return sums
  }

  const saveInTurn = () => inTurn(save)

  function plan() {
    // replicas that start together spread out
    const ms = everyMs * (0.75 + Math.random() / 2)
    pause(ms, undefined, { signal: ending.signal, ref: false })
      .then(saveInTurn)
      .then(plan, () => {})
  }

  plan()
  return {
    hour: () => unsaved.hour(),
    /** by hour, of all replicas; hours without a sum are not known */
    since: (hour: number) => inTurn(() => read(hour)),
    save: saveInTurn,
    async close() {
      ending.abort()
      await Promise.race([saveInTurn(), pause(patienceMs, undefined, { ref: false })])
    },
  }
}
