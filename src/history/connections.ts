// What each connection did in the last hour. Bounded: who did nothing for an hour goes, and where there are too many, who
// did nothing for the longest time.
import { kept, Minutes } from './minutes.ts'

export const columns = {
  calls: 0,
  errors: 1,
  requests: 2,
  shared: 3,
  cacheHits: 4,
  cacheMisses: 5,
  unreadable: 6,
} as const
export type Column = keyof typeof columns
const width = Object.keys(columns).length

/** members that are told apart for one connection: the platform could invent them without end */
const mostMembers = 200

/** FNV-1a: a name is as good as its number here, and a number is nothing to keep */
function numberOf(type: string, member: string): number {
  let hash = 0x811c9dc5
  for (const text of [type, ' ', member])
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

export class ConnectionHour {
  readonly #minutes = new Minutes(width)
  /** the latest minute in which anything was noted */
  latest = Number.NEGATIVE_INFINITY
  /** members that the catalogue does not know, by number, and when each was last seen */
  #members: Map<number, number> | undefined

  note(minute: number, column: Column) {
    this.#minutes.add(minute, columns[column])
  }

  drift(minute: number, type: string, members: readonly string[]) {
    for (const member of members) this.#seen(numberOf(type, member), minute)
  }

  perMinute(last: number, column: Column): number[] {
    return this.#minutes.hour(last, columns[column])
  }

  sum(last: number, column: Column): number {
    return this.#minutes.sum(last, columns[column])
  }

  /** different ones, and not how often they were seen */
  members(last: number): number {
    let count = 0
    for (const minute of this.#members?.values() ?? []) if (minute > last - kept) count++
    return count
  }

  /** counts, and then members with their minutes */
  take(): readonly [number[], number[]] {
    const members = [...(this.#members ?? [])].flat()
    this.#members = undefined
    return [this.#minutes.take(), members]
  }

  give([counts, members]: readonly [readonly number[], readonly number[]]) {
    this.#minutes.give(counts)
    for (let i = 0; i + 1 < members.length; i += 2) this.#seen(members[i] ?? 0, members[i + 1] ?? 0)
  }

  #seen(number: number, minute: number) {
    const all = (this.#members ??= new Map())
    const before = all.get(number)
    if (before === undefined && all.size >= mostMembers)
      for (const [one, seen] of all) if (seen <= minute - kept) all.delete(one)
    if (before !== undefined || all.size < mostMembers) all.set(number, Math.max(before ?? minute, minute))
  }
}

export class Connections {
  readonly #most: number
  /** in the order of their latest minute */
  readonly #all = new Map<string, ConnectionHour>()

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#all.size
  }

  find(id: string): ConnectionHour | undefined {
    return this.#all.get(id)
  }

  /** for a note of this minute */
  of(id: string, minute: number): ConnectionHour {
    const found = this.#all.get(id)
    // once a minute, not once a note: a map that is written to without end is garbage without end
    if (found && found.latest >= minute) return found
    const one = found ?? new ConnectionHour()
    this.#all.delete(id)
    this.#all.set(id, one)
    one.latest = minute
    if (!found) this.#makeRoom(minute)
    return one
  }

  /** of so many, which are here no longer */
  take(most: number): [id: string, counts: number[], members: number[]][] {
    const first = this.#all.entries().take(most).toArray()
    for (const [id] of first) this.#all.delete(id)
    return first.map(([id, one]) => [id, ...one.take()])
  }

  #makeRoom(minute: number) {
    for (const [id, { latest }] of this.#all) {
      if (this.#all.size <= this.#most && latest > minute - kept) return
      this.#all.delete(id)
    }
  }
}
