// Proves that a resource hangs below one of the apps of a key: listings from the apps down, each remembered for a while. An id that
// is not found is 404, whether it is absent or of another app: both take the same listings.
import { appScopeOf, type Link } from '../catalogue/ownership.ts'
import type { Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { Problem } from '../problems.ts'
import { listChildren } from './lookup.ts'
import type { QueryParameter, Step } from './plan.ts'
import type { Get } from './port.ts'

/** ids by listing, of one connection with one credential */
export interface ListingMemory {
  get(name: string): ReadonlySet<string> | undefined
  set(name: string, ids: ReadonlySet<string>): void
}

export interface ProofSources {
  readonly get: Get
  readonly origin: string
  readonly listings: ListingMemory
}

export interface Proved {
  readonly route: Route
  readonly ids: Readonly<Record<string, string>>
  readonly apps: readonly string[]
}

/** the platform call of a listing; `ids` may lack the parent's, as in an explanation */
export function listingStep({ list, asked = {} }: Link, ids: Step['ids']): Step {
  const filled = (value: string) => value.replace(/\{(\w+)\}/, (hole, name: string) => ids[name] ?? hole)
  const own: QueryParameter[] = Object.entries(asked).map(([name, value]) => ({ name, value: filled(value) }))
  const limit = { name: 'limit', value: String(pageSize.most) }
  return { endpoint: list, ids, asked: [...own, limit], accept: 'application/json' }
}

async function childrenOf(link: Link, parent: string, { get, origin, listings }: ProofSources) {
  const step = listingStep(link, { [link.parent]: parent })
  const name = `${link.child} ${parent}`
  const found = listings.get(name)
  if (found) return found
  // a parent that is gone has no children
  const children = await listChildren({ ...step, type: link.type, relation: link.relation }, origin, get).catch(
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'resource_not_found') return new Set<string>()
      throw error
    },
  )
  listings.set(name, children)
  return children
}

async function isBelow(parents: Iterable<string>, chain: readonly Link[], wanted: string, sources: ProofSources) {
  const [link, ...rest] = chain
  if (!link) return [...parents].includes(wanted)
  for (const parent of parents) {
    const children = await childrenOf(link, parent, sources)
    if (rest.length === 0 ? children.has(wanted) : await isBelow(children, rest, wanted, sources)) return true
  }
  return false
}

/** rejects unless the resource of the path is one of these apps, or hangs below one */
export async function requireOwned({ route, ids, apps }: Proved, sources: ProofSources): Promise<void> {
  const { anchor, chain } = appScopeOf(route)
  if (anchor === undefined) return
  if (!(await isBelow(apps, chain, ids[anchor] ?? '', sources))) throw new Problem('resource_not_found')
}
