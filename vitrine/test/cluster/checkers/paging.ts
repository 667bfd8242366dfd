// Paging returns every item once, in order, and ends where the list ends.
import { itemId } from '../../faults/long-lists.ts'
import { type Checker, createFaults } from './checker.ts'

export interface Page {
  readonly list: string
  /** the number of items before this page */
  readonly from: number
  readonly limit: number
  readonly size: number
  readonly json: any
  readonly replica: string
}

export interface Walks extends Checker {
  page(page: Page): void
  readonly count: () => number
}

export function createWalks(): Walks {
  const faults = createFaults()
  let count = 0
  return {
    promise: 'walks are exact, over whichever replicas their pages come',
    page({ list, from, limit, size, json, replica }) {
      count++
      const due = Array.from({ length: Math.min(limit, size - from) }, (_, i) => itemId(list, from + i))
      const where = `${list} from ${from} at ${replica}`
      const items: unknown = json?.items
      if (!Array.isArray(items)) return faults.add(`${where}: no items`)
      if (items.join() !== due.join())
        faults.add(
          `${where}: ${items.length} items that begin with ${items[0]} instead of ${due.length} from ${due[0]}`,
        )
      const isLast = from + limit >= size
      if ((json.nextCursor === null) !== isLast || json.nextCursor === undefined)
        faults.add(`${where}: nextCursor is ${json.nextCursor === null ? 'null' : 'there'}`)
      return undefined
    },
    count: () => count,
    faults: faults.all,
  }
}
