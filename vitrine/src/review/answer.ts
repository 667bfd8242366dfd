// Compares the answer of an endpoint with the catalogue: envelope, type, attributes, relationships; for a lookup, its type
// and locale.
import { isList, type Link, type Resource, type Route } from '../catalogue/define.ts'
import { ownAttributes, relatedParts } from '../catalogue/related.ts'
import { attributeDifferences } from './attributes.ts'
import type { Relation } from '../catalogue/source.ts'
import type { PlannedLookup } from './planned-requests.ts'
import { member, type VendorOperation, type VendorDocument } from './document.ts'
import type { ReviewContext } from './endpoint.ts'
import type { Difference } from './finding.ts'
import type { SchemaView, ViewSchema } from './schema.ts'

export function answerSchema({ get }: VendorOperation, mediaType: string, { resolve }: VendorDocument): unknown {
  const responses = member(get, 'responses')
  const content = member(resolve(member(responses, '200') ?? member(responses, '2XX')), 'content')
  const names = Object.keys((content as object | undefined) ?? {})
  const name = names.find((one) => one.split(';', 1)[0]?.trim().toLowerCase() === mediaType)
  return name === undefined ? undefined : member(member(content, name), 'schema')
}

const part = (from: SchemaView, name: string, view: ViewSchema): SchemaView | undefined =>
  from.properties?.has(name) ? view(from.properties.get(name)) : undefined

const isOnly = ({ types }: SchemaView, type: string): boolean => types.length === 1 && types[0] === type

const typeWords = (seen: SchemaView | undefined): string => (seen ? seen.types.join(' or ') || 'anything' : 'none')

function typeDifferences(identifier: SchemaView, type: string, view: ViewSchema): Difference[] {
  const [id, theirs] = [part(identifier, 'id', view), part(identifier, 'type', view)?.values ?? []]
  const isSame = theirs.length === 1 && theirs[0] === type
  const said = theirs.join(' or ') || 'anything'
  return [
    ...(isSame ? [] : [{ class: 'id-type-changed', at: 'data.type', ours: type, theirs: said } as const]),
    ...(id && isOnly(id, 'string')
      ? []
      : [{ class: 'id-type-changed', at: 'data.id', ours: 'string', theirs: typeWords(id) } as const]),
  ]
}

/** Undefined unless the relationship is to one resource. */
function linkedType(relationship: unknown, view: ViewSchema): string | undefined {
  const data = part(view(relationship), 'data', view)
  const id = data && part(data, 'id', view)
  if (!data || !isOnly(data, 'object') || !id || !isOnly(id, 'string')) return undefined
  return part(data, 'type', view)?.values?.join(' or ') ?? 'anything'
}

function linkDifferences(
  links: readonly Link[],
  { properties = new Map() }: SchemaView,
  view: ViewSchema,
): Difference[] {
  const known = new Set(links.map(({ relation }) => relation))
  return [
    ...links.flatMap(({ relation: at, type }): Difference[] => {
      if (!properties.has(at)) return [{ class: 'relationship-gone', at }]
      const theirs = linkedType(properties.get(at), view) ?? 'no single resource'
      return [
        ...(theirs === type ? [] : [{ class: 'relationship-changed', at, ours: type, theirs } as const]),
        ...(view(properties.get(at)).isDeprecated ? [{ class: 'part-deprecated', at } as const] : []),
      ]
    }),
    ...[...properties].flatMap(([at, schema]): Difference[] => {
      const theirs = known.has(at) || view(schema).isDeprecated ? undefined : linkedType(schema, view)
      return theirs === undefined ? [] : [{ class: 'relationship-new', at, theirs }]
    }),
  ]
}

const none: SchemaView = { types: [], isDeprecated: false }

/** attributes of related resources, which the document describes among those that are included */
function relatedDifferences(attributes: Resource['attributes'], whole: SchemaView, view: ViewSchema): Difference[] {
  return relatedParts(attributes).flatMap(({ relation, type, fields }) => {
    const one = view(part(whole, 'included', view)?.items)
    const known = Object.fromEntries(fields.map(([, theirs, field]) => [theirs, field]))
    const found = [
      ...typeDifferences(one, type, view),
      ...attributeDifferences(known, part(one, 'attributes', view) ?? none, view),
    ]
    return found.map((difference) => ({ ...difference, at: `${relation}.${difference.at}` }))
  })
}

function resourceDifferences(
  { returns }: Route,
  { resource, whole }: { readonly resource: SchemaView; readonly whole: SchemaView },
  view: ViewSchema,
): Difference[] {
  if (!returns) return []
  return [
    ...relatedDifferences(returns.attributes, whole, view),
    ...attributeDifferences(ownAttributes(returns.attributes), part(resource, 'attributes', view) ?? none, view),
    ...linkDifferences(Object.values(returns.links), part(resource, 'relationships', view) ?? none, view),
  ]
}

/** A list needs `links.next` for paging. */
function openEnvelope(
  whole: SchemaView,
  isList: boolean,
  view: ViewSchema,
): { resource?: SchemaView; found: Difference[] } {
  const data = part(whole, 'data', view)
  const ours = isList ? 'array' : 'object'
  if (!data || !isOnly(data, ours))
    return { found: [{ class: 'answer-changed', at: 'data', ours, theirs: typeWords(data) }] }
  const links = part(whole, 'links', view)
  const next = links && part(links, 'next', view)
  const goesOn = !isList || (next && isOnly(next, 'string'))
  return {
    resource: isList ? view(data.items) : data,
    found: goesOn ? [] : [{ class: 'answer-changed', at: 'links.next', ours: 'string', theirs: typeWords(next) }],
  }
}

export function lookupDifferences(
  { type, purpose }: PlannedLookup,
  operation: VendorOperation,
  { document, view }: ReviewContext,
): Difference[] {
  const schema = answerSchema(operation, 'application/json', document)
  if (schema === undefined)
    return [{ class: 'answer-changed', at: 'lookup.answer', ours: 'application/json', theirs: 'none' }]
  const { resource, found } = openEnvelope(view(schema), purpose !== 'owner', view)
  const attributes = resource && part(resource, 'attributes', view)
  const locale = attributes && part(attributes, 'locale', view)
  const differences = [
    ...found,
    ...(resource ? typeDifferences(resource, type, view) : []),
    ...(resource && purpose === 'locale' && !(locale && isOnly(locale, 'string'))
      ? [{ class: 'answer-changed', at: 'locale', ours: 'string', theirs: typeWords(locale) } as const]
      : []),
  ]
  return differences.map((one) => ({ ...one, at: `lookup.${one.at}` }))
}

/** the ids of a to-many relationship of one resource */
function relationDifferences(
  { type }: Route,
  { name: at, of }: Relation,
  whole: SchemaView,
  view: ViewSchema,
): Difference[] {
  const { resource, found } = openEnvelope(whole, false, view)
  if (!resource) return found
  const relationships = part(resource, 'relationships', view)
  const data = relationships && part(part(relationships, at, view) ?? none, 'data', view)
  if (!data) return [...typeDifferences(resource, of, view), { class: 'relationship-gone', at }]
  return [...typeDifferences(resource, of, view), ...typeDifferences(view(data.items), type, view)]
}

export function answerDifferences(
  route: Route,
  operation: VendorOperation,
  { document, view }: ReviewContext,
): Difference[] {
  const { bare, relation } = route.from
  const mediaType = bare?.mediaType ?? 'application/json'
  const schema = answerSchema(operation, mediaType, document)
  if (schema === undefined) return [{ class: 'answer-changed', at: 'answer', ours: mediaType, theirs: 'none' }]
  const whole = view(schema)
  if (relation) return relationDifferences(route, relation, whole, view)
  if (bare) return attributeDifferences(route.returns?.attributes ?? {}, whole, view)
  const { resource, found } = openEnvelope(whole, isList(route), view)
  if (!resource) return found
  return [
    ...found,
    ...typeDifferences(resource, route.type, view),
    ...resourceDifferences(route, { resource, whole }, view),
  ]
}
