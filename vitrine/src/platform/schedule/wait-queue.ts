// The calls that wait for a turn at a signing key: one row per facade key, in the order of their turns. A call that several
// facade keys wait for is queued under each of them and runs at the first one's turn.
import { Problem, problemOfAbort } from '../../problems.ts'
import type { ReadContext } from '../port.ts'
import type { Quota } from './quota.ts'

export interface Place {
  readonly who: string
  readonly patient: boolean
  /** of its call, once it has one */
  begunAt?: number
}

export interface Waiter {
  readonly context: ReadContext
  readonly places: Place[]
  readonly admit: (from: Place) => void
  readonly refuse: (problem: Problem) => void
}

interface Row {
  readonly who: string
  readonly prompt: Waiter[]
  readonly patient: Waiter[]
}

const [mostOfOne, mostOfAll] = [512, 2_048]

const lengthOf = ({ prompt, patient }: Row): number => prompt.length + patient.length
const sideOf = (row: Row, { patient }: Place): Waiter[] => (patient ? row.patient : row.prompt)

export class WaitQueue {
  readonly #shed: () => void
  readonly #rows = new Map<string, Row>()
  waiting = 0

  constructor(shed: () => void) {
    this.#shed = shed
  }

  rows(): Iterable<Row> {
    return this.#rows.values()
  }

  aheadOf(who: string): number {
    const row = this.#rows.get(who)
    return Math.min(this.waiting, ((row ? lengthOf(row) : 0) + 1) * Math.max(1, this.#rows.size))
  }

  /** waits until admitted, refused or aborted; `changed` is called once it is queued; `isFirst`: before others of its key */
  wait(context: ReadContext, changed: () => void, isFirst?: boolean): Promise<Place> {
    return new Promise<Place>((ok, no) => {
      const { signal, who, patient } = context
      if (signal.aborted) return no(problemOfAbort(signal))
      if (this.#isFull(who)) {
        this.#shed()
        return no(new Problem('too_busy', { retryAfterSec: 1 }))
      }
      const leave = () => this.remove(waiter) && no(problemOfAbort(signal))
      const done = () => signal.removeEventListener('abort', leave)
      const waiter: Waiter = {
        context,
        places: [],
        admit: (from) => (done(), ok(from)),
        refuse: (problem) => (done(), no(problem)),
      }
      signal.addEventListener('abort', leave)
      this.waiting++
      this.#add(waiter, { who, patient }, isFirst)
      context.onJoin?.((other) => this.#join(waiter, other, changed))
      return changed()
    })
  }

  remove(waiter: Waiter): boolean {
    const places = waiter.places.splice(0)
    for (const place of places) {
      const row = this.#rows.get(place.who)
      const side = row ? sideOf(row, place) : []
      const index = side.indexOf(waiter)
      if (index >= 0) side.splice(index, 1)
      if (row && lengthOf(row) === 0) this.#rows.delete(place.who)
    }
    if (places.length > 0) this.waiting--
    return places.length > 0
  }

  putLast(who: string) {
    const row = this.waiting > 0 ? this.#rows.get(who) : undefined
    if (row && this.#rows.delete(who)) this.#rows.set(who, row)
  }

  #add(waiter: Waiter, place: Place, isFirst = false) {
    const row = this.#rows.get(place.who) ?? { who: place.who, prompt: [], patient: [] }
    this.#rows.set(place.who, row)
    const side = sideOf(row, place)
    side.splice(isFirst ? 0 : side.length, 0, waiter)
    waiter.places.push(place)
  }

  #isFull(who: string): boolean {
    const row = this.#rows.get(who)
    return this.waiting >= mostOfAll || (row !== undefined && lengthOf(row) >= mostOfOne)
  }

  /** queues the call under the facade key of a request that joined it, too */
  #join(waiter: Waiter, { who, patient }: ReadContext, changed: () => void) {
    const { places } = waiter
    const isBetter = !places.some((place) => place.who === who && (patient || !place.patient))
    if (places.length === 0 || !isBetter) return
    this.#add(waiter, { who, patient })
    changed()
  }
}

const limited = (waitMs: number, message?: string): Problem =>
  new Problem('upstream_rate_limited', {
    retryAfterSec: Math.min(3_600, Math.max(1, Math.ceil(waitMs / 1_000))),
    ...(message !== undefined && { message }),
  })

export const tooManyWaiting = (waitMs: number): Problem =>
  limited(waitMs, 'More is asked of this connection at once than the platform answers in time.')

interface Asking {
  readonly queue: WaitQueue
  readonly quota: Pick<Quota, 'waitMs'>
  readonly steady: () => number
  readonly typicalMs: number
  readonly running: { hasRoomFor(patient: boolean): boolean; isKeptFrom(who: string): boolean }
}

/** the first waiter of a side that may go, or how long it has to wait; refuses those whose deadline comes first */
function firstOf(side: readonly Waiter[], place: Place, { queue, quota, steady, typicalMs }: Asking): Waiter | number {
  const waitMs = side.length > 0 ? quota.waitMs(place.who, place.patient) : Number.POSITIVE_INFINITY
  for (let first = side[0]; first; first = side[0]) {
    const leftMs = first.context.endsAt - steady()
    if (waitMs > 0 && waitMs < leftMs) return waitMs
    queue.remove(first)
    if (leftMs <= 0) first.refuse(new Problem('upstream_timeout', { cause: 'the deadline came before the turn' }))
    else if (waitMs > 0) first.refuse(limited(waitMs))
    // a call that cannot end in time would only spend quota
    else if (leftMs < typicalMs) first.refuse(tooManyWaiting(typicalMs))
    else return first
  }
  return Number.POSITIVE_INFINITY
}

export function nextInQueue(asking: Asking): [Waiter, Place] | number {
  let soonestMs = Number.POSITIVE_INFINITY
  for (const { who, prompt, patient } of asking.queue.rows()) {
    if (asking.running.isKeptFrom(who)) continue
    for (const side of asking.running.hasRoomFor(true) ? [prompt, patient] : [prompt]) {
      const place = { who, patient: side === patient }
      const found = firstOf(side, place, asking)
      if (typeof found !== 'number') return [found, place]
      soonestMs = Math.min(soonestMs, found)
    }
  }
  return soonestMs
}
