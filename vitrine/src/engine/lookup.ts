// Lookups: whether a parent exists or a child is in a list, and which localization has exactly this locale. Nothing is called absent or
// unique before the last page; a list that cannot be read to its end is a failure, never an absence.
import { malformed, Problem } from '../problems.ts'
import { type Collection, readCollection, readRelated, readSingle, type Related } from './document.ts'
import { followEnd, noTally } from './page-end.ts'
import { type Lookup, buildRead, isAddressable, type Step } from './plan.ts'
import { isJsonObject } from '../../../base/core/json.ts'
import type { Get, Purpose } from './port.ts'

const mostPages = 50
const longestId = 512

type Listed = Step & { readonly type: string; readonly purpose: Purpose }

async function* pages(lookup: Listed, origin: string, get: Get): AsyncGenerator<Collection['resources']> {
  const limit = Number(lookup.asked.find((a) => a.name === 'limit')?.value)
  const seen = new Set<string>()
  const listed = new Set<string>()
  let tally = noTally
  for (let cursor: string | undefined; ; seen.add(cursor)) {
    const asked = cursor === undefined ? lookup.asked : [...lookup.asked, { name: 'cursor', value: cursor }]
    const read = buildRead({ ...lookup, asked }, origin)
    const document = await get(read, lookup.purpose).catch((problem: Problem) => {
      throw cursor === undefined || problem.code !== 'resource_not_found' ? problem : malformed('a listing broke off')
    })
    const { resources, end } = readCollection(document.take(), lookup.type, limit)
    yield resources
    const before = listed.size
    for (const { id } of resources) listed.add(id)
    // what an earlier page had already does not stand for an item that never came
    const following = followEnd({ ...end, count: listed.size - before }, { origin, target: read.target, tally })
    if (following.cursor === null) return
    if (seen.has(following.cursor) || seen.size === mostPages - 1) throw malformed('a listing does not come to an end')
    cursor = following.cursor
    tally = following.tally
  }
}

function requireUsable(id: string) {
  if (!isAddressable(id) || id.length > longestId) throw malformed('a list has an id that cannot be asked for')
}

async function findLocalization(lookup: Lookup, origin: string, get: Get): Promise<string> {
  const found = new Set<string>()
  for await (const resources of pages(lookup, origin, get))
    for (const { id, attributes } of resources) {
      const locale = isJsonObject(attributes) ? attributes['locale'] : undefined
      // it could be the wanted one, or a second one
      if (typeof locale !== 'string') throw malformed('a localization has no locale')
      if (locale === lookup.wanted) found.add(id)
    }
  if (found.size > 1) throw new Problem('ambiguous_selection')
  for (const id of found) {
    requireUsable(id)
    return id
  }
  throw new Problem('localization_not_found')
}

async function findMember(lookup: Lookup, origin: string, get: Get): Promise<string> {
  for await (const resources of pages(lookup, origin, get))
    if (resources.some((resource) => resource.id === lookup.wanted)) return lookup.wanted
  throw new Problem('resource_not_found')
}

/** the ids of all members of a list, in order */
export async function listParents(lookup: Lookup, origin: string, get: Get): Promise<string[]> {
  const found = new Set<string>()
  for await (const resources of pages(lookup, origin, get)) for (const { id } of resources) found.add(id)
  for (const id of found) requireUsable(id)
  return [...found].sort()
}

export const isGone = (error: unknown): boolean => error instanceof Problem && error.code === 'resource_not_found'

/** every id of a listing, or of a relationship of what it lists */
export async function listChildren(
  { relation, ...step }: Step & { readonly type: string; readonly relation?: Related | undefined },
  origin: string,
  get: Get,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for await (const resources of pages({ ...step, purpose: 'ownership' }, origin, get))
    for (const one of resources)
      for (const id of relation === undefined ? [one.id] : readRelated(one, relation)) found.add(id)
  return found
}

export async function runLookup(lookup: Lookup, origin: string, get: Get): Promise<Record<string, string>> {
  if (lookup.purpose === 'locale') return { localizationId: await findLocalization(lookup, origin, get) }
  if (lookup.purpose === 'owner')
    readSingle((await get(buildRead(lookup, origin), 'owner')).take(), { type: lookup.type, id: lookup.wanted })
  else await findMember(lookup, origin, get)
  return {}
}
