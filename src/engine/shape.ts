// The contract's four shapes, made from the platform's documents.
import type { Resource, Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { malformed } from '../problem.ts'
import { readCollection, readEnvelope, readLinkage, readSingle } from './document.ts'
import { type Flat, flatten, flattenAttributes, type Selection, unknownAttributes } from './flatten.ts'
import { isPaged } from './plan.ts'

export interface Shaped {
  readonly body: Flat
  /** `links.next` of a page, as it came */
  readonly next?: unknown
  /** attributes that the catalogue does not know */
  readonly unknown: readonly string[]
  /** items that the page held twice */
  readonly duplicates: number
}

export interface Expectation extends Omit<Selection, 'parent'> {
  /** items asked for; absent: the standard page */
  readonly limit?: number
  /** the id that the read named itself */
  readonly readId?: string | undefined
}

function shapeBare(resource: Resource, json: unknown, id: string): Shaped {
  const document = readEnvelope(json)
  const body: Flat = { id }
  flattenAttributes(resource, document, body)
  if (Object.keys(body).length === 1) throw malformed('the document holds nothing that is documented')
  return { body, unknown: unknownAttributes(resource, { attributes: document }), duplicates: 0 }
}

function shapeList(route: Route, json: unknown, expected: Expectation): Shaped {
  const { returns, from, type } = route
  const { resources, next } = readCollection(json, type, expected.limit ?? pageSize.standard)
  // the platform counts rows, so a row that moves during a walk can come twice; in one page that is noise
  const items = new Map<unknown, unknown>()
  for (const one of resources) {
    const item = returns ? flatten(returns, one, { ...expected, parent: from.parent }) : one['id']
    if (!items.has(one['id'])) items.set(one['id'], item)
  }
  const unknown = returns ? [...new Set(resources.flatMap((one) => unknownAttributes(returns, one)))] : []
  const body = { items: [...items.values()], nextCursor: null }
  return { body, next, unknown, duplicates: resources.length - items.size }
}

export function shape(route: Route, json: unknown, expected: Expectation): Shaped {
  const { returns, from, type } = route
  if (isPaged(route)) return shapeList(route, json, expected)
  if (!returns) return { body: { id: readLinkage(json, type) }, unknown: [], duplicates: 0 }
  if (from.bare) return shapeBare(returns, json, expected.ids[from.bare.id] ?? '')
  const resource = readSingle(json, { type, id: expected.readId, mayBeAbsent: from.mayBeAbsent })
  const body = flatten(returns, resource, { ...expected, parent: from.parent })
  return { body, unknown: unknownAttributes(returns, resource), duplicates: 0 }
}
