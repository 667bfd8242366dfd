// The first pages of the next values, asked for while those before them are still looked at: one after the other, two dozen
// reads of the platform would take most of a call's time.
import type { Page } from './pages.ts'

const atOnce = 4

/** answers the first page of a value, in whatever order they are asked for; a failure is told to who takes it */
export function readAhead(count: number, first: (index: number) => Promise<Page>): (index: number) => Promise<Page> {
  const begun = new Map<number, Promise<Page>>()
  let next = 0
  return (index) => {
    for (; next < Math.min(count, index + atOnce); next++) {
      const page = first(next)
      page.catch(() => {})
      begun.set(next, page)
    }
    const mine = begun.get(index) ?? first(index)
    begun.delete(index)
    return mine
  }
}
