// The read that answers, behind its lookup. A lookup that is remembered costs nothing; where what it found is gone by now,
// it is made once more.
import { Problem } from '../problem.ts'
import { find } from './find.ts'
import { type Found, type Memory, nameOf } from './memory.ts'
import type { Lookup, Plan } from './plan.ts'
import type { Get } from './port.ts'
import { address, lastId, type Step, withIds } from './target.ts'

export interface Sources {
  readonly get: Get
  readonly origin: string
  readonly memory: Memory
}

interface Read {
  readonly document: unknown
  /** as it was asked for */
  readonly target: string
  /** the id that was asked for, where the read names one */
  readonly readId: string | undefined
}

async function readStep(step: Step, { get, origin }: Sources): Promise<Read> {
  const read = address(step, origin)
  return { document: await get(read, 'answer'), target: read.target, readId: lastId(step) }
}

async function look(lookup: Lookup, { get, origin, memory }: Sources): Promise<Found> {
  // what was found before is not believed while it is looked for, nor where it is found no more
  memory.forget(nameOf(lookup))
  const found = await find(lookup, origin, get)
  memory.keep(nameOf(lookup), found)
  return found
}

const isGone = (error: unknown): boolean => error instanceof Problem && error.code === 'resource_not_found'

const same = (a: Found, b: Found): boolean => Object.entries(a).every(([name, id]) => b[name] === id)

export const readFound = ({ lookup, read }: Plan, sources: Sources): Promise<Read> =>
  lookup ? readBehind(lookup, read, sources) : readStep(read, sources)

async function readBehind(lookup: Lookup, read: Step, sources: Sources): Promise<Read> {
  const { memory } = sources
  const recalled = memory.recall(nameOf(lookup))
  if (!recalled) return readStep(withIds(read, await look(lookup, sources)), sources)
  try {
    return await readStep(withIds(read, recalled), sources)
  } catch (error) {
    if (!isGone(error)) throw error
    const found = await look(lookup, sources)
    if (same(recalled, found)) throw error
    return readStep(withIds(read, found), sources)
  }
}
