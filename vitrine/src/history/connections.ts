// What each connection did in the last hour. Bounded: those idle for an hour go, and beyond the limit the longest idle.
import { minutesKept, Minutes } from './minutes.ts'

export const columns = {
  calls: 0,
  errors: 1,
  requests: 2,
  shared: 3,
  cacheHits: 4,
  cacheMisses: 5,
  unreadable: 6,
} as const
export type ConnectionColumn = keyof typeof columns
const width = Object.keys(columns).length

/** distinct unknown members per connection: the platform could send any number */
const mostMembers = 200

/** FNV-1a: a number takes less memory than the name */
function numberOf(type: string, member: string): number {
  let hash = 0x811c9dc5
  for (const text of [type, ' ', member])
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

export class ConnectionHour {
  readonly #minutes = new Minutes(width)
  latest = Number.NEGATIVE_INFINITY
  /** members that the catalogue does not know, by number, with the minute they were last seen */
  #members: Map<number, number> | undefined

  note(minute: number, column: ConnectionColumn) {
    this.#minutes.add(minute, columns[column])
  }

  drift(minute: number, type: string, members: readonly string[]) {
    for (const member of members) this.#seen(numberOf(type, member), minute)
  }

  perMinute(last: number, column: ConnectionColumn): number[] {
    return this.#minutes.hour(last, columns[column])
  }

  sum(last: number, column: ConnectionColumn): number {
    return this.#minutes.sum(last, columns[column])
  }

  members(last: number): number {
    let count = 0
    for (const minute of this.#members?.values() ?? []) if (minute > last - minutesKept) count++
    return count
  }

  #seen(number: number, minute: number) {
    const all = (this.#members ??= new Map())
    const before = all.get(number)
    if (before === undefined && all.size >= mostMembers)
      for (const [one, seen] of all) if (seen <= minute - minutesKept) all.delete(one)
    if (before !== undefined || all.size < mostMembers) all.set(number, minute)
  }
}

export class ConnectionCounters {
  readonly #most: number
  readonly #all = new Map<string, ConnectionHour>()

  constructor(most: number) {
    this.#most = most
  }

  find(id: string): ConnectionHour | undefined {
    return this.#all.get(id)
  }

  of(id: string, minute: number): ConnectionHour {
    const found = this.#all.get(id)
    // once a minute: reordering the map at each note would create garbage
    if (found && found.latest >= minute) return found
    const one = found ?? new ConnectionHour()
    this.#all.delete(id)
    this.#all.set(id, one)
    one.latest = minute
    if (!found) this.#makeRoom(minute)
    return one
  }

  #makeRoom(minute: number) {
    for (const [id, { latest }] of this.#all) {
      if (this.#all.size <= this.#most && latest > minute - minutesKept) return
      this.#all.delete(id)
    }
  }
}
