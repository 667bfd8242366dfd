// Lists of the platform with their history: what was in each at any moment.
import type { Random } from '../../../../base/test/simulator/random.ts'

export interface Row {
  readonly id: string
  readonly from: number
  /** it is there before this moment */
  to: number
}

export class List {
  readonly type: string
  readonly isCounted: boolean
  readonly from: number
  /** the list itself is gone from then on */
  to = Infinity
  readonly rows: Row[] = []

  constructor(type: string, from: number, isCounted = false) {
    this.type = type
    this.from = from
    this.isCounted = isCounted
  }

  add(id: string, at: number) {
    this.rows.push({ id, from: at, to: Infinity })
    this.rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  remove(random: Random, at: number) {
    const there = this.at(at)
    if (there.length > 0) random.pick(there).to = at
  }

  at(at: number): Row[] {
    return this.rows.filter((row) => row.from <= at && at < row.to)
  }

  /** the ids that were there all the time */
  throughout(from: number, to: number): string[] {
    return this.rows.filter((row) => row.from <= from && to < row.to && this.to > to).map(({ id }) => id)
  }

  /** rows were added and removed between */
  changes(from: number, to: number): { readonly added: number; readonly removed: number } {
    return {
      added: this.rows.filter((row) => row.from > from && row.from <= to).length,
      removed: this.rows.filter((row) => row.to > from && row.to <= to).length,
    }
  }
}
