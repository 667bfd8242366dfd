// Makes the four shapes of answers from the platform's documents.
import { isList, type Resource, type Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { malformed } from '../problems.ts'
import type { Relation } from '../catalogue/source.ts'
import {
  readCollection,
  readEnvelope,
  readIncluded,
  readLinkage,
  readLinkages,
  readSingle,
  requireSameId,
} from './document.ts'
import { type Flat, Flattener, type FieldSelection } from './flatten.ts'
import type { PageEnd } from './page-end.ts'
import { isJsonObject, type JsonObject } from '../../../base/core/json.ts'

export interface Shaped {
  readonly body: Flat
  readonly end?: PageEnd
  readonly unknown: readonly string[]
  readonly duplicates: number
}

export interface Expectation extends Omit<FieldSelection, 'parent'> {
  readonly limit?: number
  readonly readId?: string | undefined
  /** of a list that is paged here: how many were on the pages before */
  readonly after?: string | undefined
}

const flattenerFor = (returns: Resource, { from }: Route, json: unknown, expected: Expectation): Flattener =>
  new Flattener(returns, { ...expected, parent: from.parent, included: () => readIncluded(json) })

type Bare = NonNullable<Route['from']['bare']>

/** Checks the id that a document without an envelope may contain. */
function checkNamed(document: JsonObject, [section, member]: Bare['named'], id: string) {
  const holder = document[section]
  const named = (isJsonObject(holder) ? holder[member] : undefined) ?? id
  if (typeof named !== 'string') throw malformed(`${section}.${member} is no id`)
  // text with spaces or beyond ASCII is a title, not an id
  if (/[^\x21-\x7e]/.test(named)) return
  requireSameId(named, id, `${section}.${member} is another id`)
}

function checkLocale(resource: JsonObject, wanted: string | undefined) {
  const { attributes } = resource
  const locale = isJsonObject(attributes) ? attributes['locale'] : undefined
  if (typeof locale === 'string' && locale !== wanted) throw malformed('the localization has another locale')
}

function shapeBare(resource: Resource, json: unknown, expected: Expectation, bare: Bare): Shaped {
  const document = readEnvelope(json)
  const id = expected.ids[bare.id] ?? ''
  checkNamed(document, bare.named, id)
  const flattener = new Flattener(resource, expected)
  const body = flattener.fillIn(document, undefined)
  if (Object.values(body).every((value) => value === undefined))
    throw malformed('the document holds nothing that is documented')
  return { body: Object.assign(body, { id }), unknown: [...flattener.unknown], duplicates: 0 }
}

/** without the items of ids that came before */
function firstOfEach(items: readonly unknown[], resources: readonly { readonly id: string }[]): unknown[] {
  const seen = new Set<string>()
  return items.filter((_item, index) => seen.size < seen.add(resources[index]?.id ?? '').size)
}

function shapeList(route: Route, json: unknown, expected: Expectation): Shaped {
  const { returns, type } = route
  const { resources, end } = readCollection(json, type, expected.limit ?? pageSize.standard)
  const flattener = returns && flattenerFor(returns, route, json, expected)
  const all = resources.map((one) => (flattener ? flattener.flatten(one) : one.id))
  const items = end.count === all.length ? all : firstOfEach(all, resources)
  const body = { items, nextCursor: null }
  return { body, end, unknown: [...(flattener?.unknown ?? [])], duplicates: resources.length - items.length }
}

function shapeRelation({ type }: Route, json: unknown, expected: Expectation, relation: Relation): Shaped {
  const { limit = pageSize.standard, after = '0', readId } = expected
  const ids = readLinkages(readSingle(json, { type: relation.of, id: readId }), relation.name, type)
  const until = Number(after) + limit
  const items = ids.slice(Number(after), until)
  const end = { next: undefined, namesMore: false, total: undefined, count: items.length }
  const ownCursor = until < ids.length ? String(until) : null
  return { body: { items, nextCursor: null }, end: { ...end, ownCursor }, unknown: [], duplicates: 0 }
}

export function shape(route: Route, json: unknown, expected: Expectation): Shaped {
  const { returns, from, type } = route
  if (from.relation) return shapeRelation(route, json, expected, from.relation)
  if (isList(route)) return shapeList(route, json, expected)
  if (!returns) return { body: { id: readLinkage(json, type) }, unknown: [], duplicates: 0 }
  if (from.bare) return shapeBare(returns, json, expected, from.bare)
  const resource = readSingle(json, { type, id: expected.readId, mayBeAbsent: from.mayBeAbsent })
  if (from.resolve) checkLocale(resource, expected.ids['locale'])
  const flattener = flattenerFor(returns, route, json, expected)
  return { body: flattener.flatten(resource), unknown: [...flattener.unknown], duplicates: 0 }
}
