// The read that answers, behind its lookup. A lookup that is remembered costs nothing; where what it found is gone by now,
// it is made once more. The later pages of a walk go on with what its first page found, or are refused.
import { Problem } from '../problem.ts'
import { find } from './find.ts'
import { type Found, markOfFound, type Memory, nameOf } from './memory.ts'
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
  /** by the lookup before it */
  readonly found: Found | undefined
}

async function readStep(step: Step, { get, origin }: Sources, found?: Found): Promise<Read> {
  const filled = found ? withIds(step, found) : step
  const read = address(filled, origin)
  return { document: await get(read, 'answer'), target: read.target, readId: lastId(filled), found }
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

const changed = (): Problem =>
  new Problem('cursor_mismatch', {
    message: 'The localization with this locale is not the one that the walk began with. Start again without a cursor.',
    param: 'cursor',
  })

/** `begun`: from the second page of a walk on, the mark of what its first page found */
export const readFound = ({ lookup, read }: Plan, sources: Sources, begun?: string): Promise<Read> =>
  lookup ? readBehind({ lookup, read }, sources, begun) : readStep(read, sources)

async function readBehind(
  { lookup, read }: Required<Plan>,
  sources: Sources,
  begun: string | undefined,
): Promise<Read> {
  const isBegun = (found: Found): boolean => begun === undefined || begun === markOfFound(found)
  const readBy = (found: Found): Promise<Read> => {
    // what was made again under the same locale is another list: its pages are none of this walk
    if (!isBegun(found)) throw changed()
    return readStep(read, sources, found)
  }
  const recalled = sources.memory.recall(nameOf(lookup))
  // another finding may be the older one: two replicas do not remember the same
  if (!recalled || !isBegun(recalled)) return readBy(await look(lookup, sources))
  try {
    return await readBy(recalled)
  } catch (error) {
    if (!isGone(error)) throw error
    const found = await look(lookup, sources)
    if (same(recalled, found)) throw error
    return readBy(found)
  }
}
