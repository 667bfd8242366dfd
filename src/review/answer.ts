// The answer of an endpoint, held against what the catalogue says comes back: envelope, type, attributes, relationships;
// and of a lookup, what is looked for in it.
import { isList, type Link, type Route } from '../catalogue/define.ts'
import { attributeDifferences } from './attributes.ts'
import type { LookupRequest } from './asked.ts'
import { member, type Operation, type VendorDocument } from './document.ts'
import type { Difference } from './finding.ts'
import type { View, Views } from './schema.ts'

/** the schema of the successful answer in this media type */
export function answerSchema({ get }: Operation, mediaType: string, { resolve }: VendorDocument): unknown {
  const responses = member(get, 'responses')
  const content = member(resolve(member(responses, '200') ?? member(responses, '2XX')), 'content')
  const names = Object.keys((content as object | undefined) ?? {})
  const name = names.find((one) => one.split(';', 1)[0]?.trim().toLowerCase() === mediaType)
  return name === undefined ? undefined : member(member(content, name), 'schema')
}

const part = (from: View, name: string, view: Views): View | undefined =>
  from.properties?.has(name) ? view(from.properties.get(name)) : undefined

const isOnly = ({ types }: View, type: string): boolean => types.length === 1 && types[0] === type

const typeWords = (seen: View | undefined): string => (seen ? seen.types.join(' or ') || 'anything' : 'none')

function typeDifferences(identifier: View, type: string, view: Views): Difference[] {
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

/** a to-one relationship is one identifier: what names many, or nothing, can be no linkage */
function linkedType(relationship: unknown, view: Views): string | undefined {
  const data = part(view(relationship), 'data', view)
  const id = data && part(data, 'id', view)
  if (!data || !isOnly(data, 'object') || !id || !isOnly(id, 'string')) return undefined
  return part(data, 'type', view)?.values?.join(' or ') ?? 'anything'
}

function linkDifferences(links: readonly Link[], { properties = new Map() }: View, view: Views): Difference[] {
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

function resourceDifferences({ returns }: Route, resource: View, view: Views): Difference[] {
  if (!returns) return []
  const none: View = { types: [], isDeprecated: false }
  return [
    ...attributeDifferences(returns.attributes, part(resource, 'attributes', view) ?? none, view),
    ...linkDifferences(Object.values(returns.links), part(resource, 'relationships', view) ?? none, view),
  ]
}

/** what is in `data`, and what cannot be read of it; a list tells by its links whether it goes on */
function openEnvelope(whole: View, isList: boolean, view: Views): { resource?: View; found: Difference[] } {
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

/** the listing that is followed before the read */
export function lookupDifferences(
  { type, purpose }: LookupRequest,
  operation: Operation,
  document: VendorDocument,
  view: Views,
): Difference[] {
  const schema = answerSchema(operation, 'application/json', document)
  if (schema === undefined)
    return [{ class: 'answer-changed', at: 'lookup.answer', ours: 'application/json', theirs: 'none' }]
  const { resource, found } = openEnvelope(view(schema), true, view)
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

export function answerDifferences(
  route: Route,
  operation: Operation,
  document: VendorDocument,
  view: Views,
): Difference[] {
  const { bare } = route.from
  const mediaType = bare?.mediaType ?? 'application/json'
  const schema = answerSchema(operation, mediaType, document)
  if (schema === undefined) return [{ class: 'answer-changed', at: 'answer', ours: mediaType, theirs: 'none' }]
  const whole = view(schema)
  if (bare) return attributeDifferences(route.returns?.attributes ?? {}, whole, view)
  const { resource, found } = openEnvelope(whole, isList(route), view)
  if (!resource) return found
  return [...found, ...typeDifferences(resource, route.type, view), ...resourceDifferences(route, resource, view)]
}
