// Records that were found, for as long as nothing in the database has changed: one on this machine can say that at once,
// and a look costs ten times as much. What is absent is not remembered.

import { anything, type Find } from './recent.ts'

const mostKept = 10_000

/** `changes`: another number after every change by anybody; undefined where that cannot be told, and nothing is remembered */
export function createKnown<T>(
  look: (id: string) => Promise<T | undefined>,
  changes: () => number | undefined,
): Find<T> {
  const found = new Map<string, T>()
  let foundAt: number | undefined

  function remember(id: string, record: T) {
    const [oldest] = found.keys()
    if (found.size >= mostKept && oldest !== undefined) found.delete(oldest)
    found.set(id, record)
  }

  return async (id, fits = anything) => {
    const at = changes()
    if (at !== foundAt) found.clear()
    foundAt = at
    const known = found.get(id)
    if (fits(known)) return known
    const record = await look(id)
    if (record !== undefined && at !== undefined && foundAt === at) remember(id, record)
    return record
  }
}
