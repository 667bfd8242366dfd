// Who waits for a turn at a platform key: a row for each facade key, and among the rows the order of their turns. What
// several facade keys wait for stands in the row of each of them, and goes when the first of these comes to it.
import type { Errand } from '../engine/port.ts'
import { Problem } from '../problem.ts'
import { endOf } from './time.ts'

/** where a waiter stands */
export interface Stand {
  readonly who: string
  readonly patient: boolean
}

export interface Waiter {
  readonly errand: Errand
  readonly stands: Stand[]
  readonly admit: (from: Stand) => void
  readonly refuse: (problem: Problem) => void
}

/** of one facade key: first answers, then the later pages of walks */
interface Row {
  readonly who: string
  readonly prompt: Waiter[]
  readonly patient: Waiter[]
}

/** who waits beyond that would only cost memory: of one facade key, and of all */
const [mostOfOne, mostOfAll] = [512, 2_048]

export interface Rows extends Iterable<Row> {
  /**
   * until somebody admits or refuses it, or its signal ends it; `changed` is told when it has come to stand in a row, before
   * all others of its own where it had its turn already
   */
  wait(errand: Errand, changed: () => void, isFirst?: boolean): Promise<Stand>
  /** false where it waits no more */
  remove(waiter: Waiter): boolean
  /** the next turn of this one comes after everybody else's */
  putLast(who: string): void
  readonly waiting: () => number
  /** how many go before one who joins this row now, if all rows take turns */
  aheadOf(who: string): number
}

const lengthOf = ({ prompt, patient }: Row): number => prompt.length + patient.length
const sideOf = (row: Row, { patient }: Stand): Waiter[] => (patient ? row.patient : row.prompt)

/** `shed` is told when somebody finds no room */
export function createRows(shed: () => void): Rows {
  const rows = new Map<string, Row>()
  let waiting = 0

  function stand(waiter: Waiter, at: Stand, isFirst = false) {
    const row = rows.get(at.who) ?? { who: at.who, prompt: [], patient: [] }
    rows.set(at.who, row)
    const side = sideOf(row, at)
    side.splice(isFirst ? 0 : side.length, 0, waiter)
    waiter.stands.push(at)
  }

  function remove(waiter: Waiter): boolean {
    const stands = waiter.stands.splice(0)
    for (const at of stands) {
      const row = rows.get(at.who)
      const side = row ? sideOf(row, at) : []
      const place = side.indexOf(waiter)
      if (place >= 0) side.splice(place, 1)
      if (row && lengthOf(row) === 0) rows.delete(at.who)
    }
    if (stands.length > 0) waiting--
    return stands.length > 0
  }

  function isFull(who: string): boolean {
    const row = rows.get(who)
    return waiting >= mostOfAll || (row !== undefined && lengthOf(row) >= mostOfOne)
  }

  /** those who come to wait for the same bring it into their own rows */
  function follow(waiter: Waiter, { who, patient }: Errand, changed: () => void) {
    const { stands } = waiter
    const isBetter = !stands.some((at) => at.who === who && (patient || !at.patient))
    if (stands.length === 0 || !isBetter) return
    stand(waiter, { who, patient })
    changed()
  }

  return {
    [Symbol.iterator]: () => rows.values(),
    waiting: () => waiting,
    remove,
    aheadOf(who) {
      const row = rows.get(who)
      return Math.min(waiting, ((row ? lengthOf(row) : 0) + 1) * Math.max(1, rows.size))
    },
    wait: (errand, changed, isFirst) =>
      new Promise((ok, no) => {
        const { signal, who, patient } = errand
        if (signal.aborted) return no(endOf(signal))
        if (isFull(who)) {
          shed()
          return no(new Problem('too_busy', { retryAfterSec: 1 }))
        }
        const left = () => remove(waiter) && no(endOf(signal))
        const done = () => signal.removeEventListener('abort', left)
        const waiter: Waiter = {
          ...{ errand, stands: [] },
          admit: (from) => (done(), ok(from)),
          refuse: (problem) => (done(), no(problem)),
        }
        signal.addEventListener('abort', left)
        waiting++
        stand(waiter, { who, patient }, isFirst)
        errand.onJoin?.((other) => follow(waiter, other, changed))
        return changed()
      }),
    putLast(who) {
      const row = rows.get(who)
      if (row && rows.delete(who)) rows.set(who, row)
    },
  }
}
