// A vendor's OpenAPI document, made only from the hand-typed tables of the contract: all routes at their endpoints, in
// the platform's terms, and the reads of the doctor. Tests change one thing in it and check what the review reports.
// Long because it is a list.
import { fields } from '../catalogue/contract-fields.ts'
import { links, types } from '../catalogue/contract-links.ts'
import { filters, lookups } from '../catalogue/contract-lookups.ts'
import { parseFields, type Tree } from '../catalogue/contract-notation.ts'
import { type Row, rows } from '../catalogue/contract-rows.ts'
import { wayInListed } from '../catalogue/way-in-rows.ts'

export type Doc = Record<string, any>

const theirs: Readonly<Record<string, string>> = {
  pairedVendorWatch: 'pairedAppleWatch',
  VENDOR_TV: 'APPLE_TV',
  VENDOR_WATCH: 'APPLE_WATCH',
}
const word = (ours: string): string => theirs[ours] ?? ours

const arrows = (text = ''): [left: string, right: string][] =>
  [...text.matchAll(/^ *(\S+) +(?:<-|->) +(.+)$/gm)].map((m) => [m[1] ?? '', m[2] ?? ''])

/** the values of some parameters; the others take anything */
const listed: Readonly<Record<string, string>> = {
  'filter[appStoreVersions.platform]': 'IOS MAC_OS TV_OS VISION_OS',
  'filter[reviewSubmissions.platform]': 'IOS MAC_OS TV_OS VISION_OS',
  'filter[appPlatform]': 'IOS MAC_OS TV_OS VISION_OS',
  'filter[appStoreVersions.appVersionState]':
    'ACCEPTED DEVELOPER_REJECTED IN_REVIEW INVALID_BINARY METADATA_REJECTED PENDING_APPLE_RELEASE PENDING_DEVELOPER_RELEASE PREPARE_FOR_SUBMISSION PROCESSING_FOR_DISTRIBUTION READY_FOR_DISTRIBUTION READY_FOR_REVIEW REJECTED REPLACED_WITH_NEW_VERSION WAITING_FOR_EXPORT_COMPLIANCE WAITING_FOR_REVIEW',
  'filter[placementType]':
    'APP_SCREENSHOT IMESSAGE_APP_SCREENSHOT APP_PREVIEW PRODUCT_PAGE_HEADER_ASSET APP_STORE_SEARCH_RESULTS_ASSET SEARCH_RESULTS_ADS_ASSET TODAY_TAB_ADS_ASSET EVENT_CARD_ASSET EVENT_DETAILS_PAGE_ASSET RETENTION_MESSAGE_ASSET',
  'filter[state]':
    'ASSET_PROCESSING FAILED PARENT_PREPARE_FOR_SUBMISSION PARENT_READY_FOR_REVIEW PARENT_WAITING_FOR_REVIEW PARENT_IN_REVIEW PARENT_APPROVED',
  'filter[reviewSubmissions.state]':
    'READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW UNRESOLVED_ISSUES CANCELING COMPLETING COMPLETE',
  'filter[devicePlatform]': 'IOS MAC_OS TV_OS VISION_OS',
}

function schemaOf({ kind, format, values, items, properties }: Tree): Doc {
  return {
    type: kind,
    ...(format && { format }),
    ...(values && { enum: values.map(word) }),
    ...(items && { items: schemaOf(items) }),
    ...(properties && { properties: schemasOf(properties) }),
  }
}

/** attributes of the resource itself, and those of what is included, under the names there */
const ownTrees = (operation: string): Record<string, Tree> =>
  Object.fromEntries(Object.entries(parseFields(fields[operation] ?? '')).filter(([, { of }]) => !of))
const relatedTrees = (operation: string): [name: string, tree: Tree][] =>
  Object.values(parseFields(fields[operation] ?? '')).flatMap((tree) => (tree.of ? [[tree.of.name, tree]] : []))

const schemasOf = (trees: Readonly<Record<string, Tree>>): Doc =>
  Object.fromEntries(Object.entries(trees).map(([name, tree]) => [word(name), schemaOf(tree)]))

const identifier = (type: string): Doc => ({
  type: 'object',
  properties: { type: { type: 'string', enum: [type] }, id: { type: 'string' } },
  required: ['id', 'type'],
})

const list = (name: string, values?: readonly string[]): Doc => ({
  name,
  in: 'query',
  description: 'Words.',
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', ...(values && { enum: values }) } },
})
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 200 } }

const relationsOf = ({ operation }: Row): [relation: string, type: string][] =>
  arrows(links[operation])
    .filter(([, right]) => right !== 'path')
    .map(([, right]) => right.split(/ +/) as [string, string])

const isPaged = ({ shape, operation }: Row): boolean =>
  (shape === 'page' || shape === 'ids') && !('relation' in (lookups[operation] ?? {}))

const wayInValues = new Map(wayInListed.map(([operation, name, values]) => [`${operation} ${name}`, values]))

function filterOf(operation: string, ours: string, name: string): Doc {
  if (name.startsWith('exists[')) return { name, in: 'query', schema: { type: 'boolean' } }
  const isContract = rows.findIndex((row) => row.operation === operation) < 29
  return list(name, isContract ? listed[name]?.split(' ') : wayInValues.get(`${operation} ${ours}`)?.split(' '))
}

/** deprecated, and still read by the doctor */
const unread = (operation: string): string[] => (operation === 'listEncryptionDeclarations' ? ['platform'] : [])

const lookupOfName = (operation: string): Doc => lookups[operation] ?? {}

const ownerParameters = (operation: string): Doc[] => {
  const { owner } = lookupOfName(operation)
  return owner
    ? [{ ...list(`filter[${owner.filter}]`), ...(operation === 'listReviewSubmissions' && { required: true }) }]
    : []
}

const relationParameters = (operation: string): Doc[] => {
  const { relation } = lookupOfName(operation)
  if (!relation) return []
  return [
    list(`fields[${relation.of}]`),
    list('include', [relation.name]),
    list(`fields[${types[operation]}]`),
    { name: `limit[${relation.name}]`, in: 'query', schema: { type: 'integer', maximum: relation.most } },
  ]
}

function parametersOf(row: Row): Doc[] {
  const { operation, shape, sort } = row
  const [type = '', relations] = [types[operation], relationsOf(row)]
  const attributes = Object.keys(ownTrees(operation)).map(word)
  const hasFields = (shape === 'one' || shape === 'page') && operation !== 'getPerformanceOverview'
  return [
    ...arrows(filters[operation]).map(([ours, name]) => filterOf(operation, ours, name)),
    ...ownerParameters(operation),
    ...relationParameters(operation),
    ...(sort.length > 0
      ? [
          list(
            'sort',
            sort.flatMap((key) => [key, `-${key}`]),
          ),
        ]
      : []),
    ...(hasFields
      ? [list(`fields[${type}]`, [...attributes, ...relations.map(([name]) => name), ...unread(operation)])]
      : []),
    ...[...new Set(relations.map(([, related]) => related))].map((related) => list(`fields[${related}]`)),
    ...(relations.length > 0
      ? [
          list(
            'include',
            relations.map(([name]) => name),
          ),
        ]
      : []),
    ...(isPaged(row) ? [structuredClone(limit)] : []),
  ]
}

/** the schema of `data`, as a component */
function resourceOf(row: Row): Doc {
  const type = types[row.operation] ?? ''
  const { relation } = lookupOfName(row.operation)
  if (relation) {
    const { properties, ...whole } = identifier(relation.of)
    const relationships = object({ [relation.name]: object({ data: { type: 'array', items: identifier(type) } }) })
    return { ...whole, properties: { ...properties, relationships } }
  }
  if (row.shape === 'ids' || row.shape === 'id') return identifier(type)
  const relationships = relationsOf(row).map(([name, related]) => [
    name,
    { type: 'object', properties: { data: identifier(related), links: { type: 'object' } } },
  ])
  const { properties, ...whole } = identifier(type)
  return {
    ...whole,
    properties: {
      ...properties,
      attributes: { type: 'object', properties: schemasOf(ownTrees(row.operation)) },
      relationships: { type: 'object', properties: Object.fromEntries(relationships) },
    },
  }
}

const get = (parameters: Doc[], schema: Doc, mediaType = 'application/json'): Doc => ({
  get: {
    tags: ['Words'],
    operationId: 'words',
    parameters,
    responses: {
      200: { description: 'Words.', content: { [mediaType]: { schema } } },
      404: { description: 'Words.', content: { 'application/json': { schema: ref('Refusal') } } },
    },
  },
})

const ref = (name: string): Doc => ({ $ref: `#/components/schemas/${name}` })

const linksOf = (isList: boolean): Doc => ({
  type: 'object',
  properties: { self: { type: 'string' }, ...(isList && { next: { type: 'string', format: 'uri-reference' } }) },
})

const envelope = (data: Doc, isList: boolean, included = ref('Refusal')): Doc => ({
  type: 'object',
  properties: {
    data: isList ? { type: 'array', items: data } : data,
    included: { type: 'array', items: included },
    links: linksOf(isList),
  },
})

/** path parameters named as the vendor names them */
const endpointOf = (template: string): string => template.replaceAll(/\{\w+\}/g, '{id}')

const localized = (type: string): Doc => {
  const { properties, ...whole } = identifier(type)
  return { ...whole, properties: { ...properties, attributes: object({ locale: { type: 'string' } }) } }
}
const object = (properties: Doc): Doc => ({ type: 'object', properties })

/** a document without an envelope is described at its endpoint only */
const bareOf = ({ operation }: Row) => ((lookups[operation] ?? {}) as { bare?: { mediaType: string } }).bare

function pathOf(row: Row): Doc {
  const bare = bareOf(row)
  if (bare)
    return get(
      parametersOf(row),
      { type: 'object', properties: schemasOf(parseFields(fields[row.operation] ?? '')) },
      bare.mediaType,
    )
  const related = relatedTrees(row.operation)
  const type = related[0]?.[1].of?.type
  if (type === undefined) return get(parametersOf(row), envelope(ref(row.operation), isPaged(row)))
  const { properties, ...whole } = identifier(type)
  const attributes = object(schemasOf(Object.fromEntries(related)))
  const included = { ...whole, properties: { ...properties, attributes } }
  return get(parametersOf(row), envelope(ref(row.operation), isPaged(row), included))
}

function lookupOf({ operation }: Row): [path: string, item: Doc][] {
  const { resolve, guard, through } = (lookups[operation] ?? {}) as Record<
    string,
    { locale: string; isIn: string; type: string; list: string; cheapest: string }
  >
  if (through) {
    const asked = [list(`fields[${through.type}]`, [through.cheapest, 'url']), structuredClone(limit)]
    return [[endpointOf(through.list), get(asked, envelope(identifier(through.type), true))]]
  }
  if (resolve)
    return [
      [
        endpointOf(resolve.locale),
        get(
          [list(`fields[${resolve.type}]`, ['locale', 'name']), list('filter[locale]'), structuredClone(limit)],
          envelope(localized(resolve.type), true),
        ),
      ],
    ]
  return guard ? [[endpointOf(guard.isIn), get([structuredClone(limit)], envelope(identifier(guard.type), true))]] : []
}

/** known differences between the document and the catalogue */
function differ(doc: Doc) {
  const { getEvent, listEvents, listExperimentTreatments, listWebhookDeliveries } = doc['components'].schemas
  // they can hold a secret
  for (const name of ['request', 'response', 'errorMessage'])
    listWebhookDeliveries.properties.attributes.properties[name] = { type: 'object' }
  for (const { properties } of [getEvent, listEvents]) {
    const event = properties.attributes.properties
    delete event.deepLink.format
    event.purchaseRequirement.enum = ['NO_COST_ASSOCIATED', 'IN_APP_PURCHASE']
  }
  listExperimentTreatments.properties.relationships.properties.appStoreVersionExperiment = {
    type: 'object',
    properties: { data: identifier('appStoreVersionExperiments') },
  }
  // a to-many relation, or one with links only, is no linkage
  listExperimentTreatments.properties.relationships.properties.localizations = {
    type: 'object',
    properties: { data: { type: 'array', items: identifier('treatmentLocalizations') } },
  }
  doc['paths']['/v1/appEncryptionDeclarations/{id}/relationships/app'].get.deprecated = true
}

export function vendorDocument(version = '4.5.1'): Doc {
  const doc: Doc = {
    openapi: '3.0.1',
    info: { title: 'A vendor', version },
    security: [{ token: [] }],
    // an endpoint that is read and looked up is described whole
    paths: Object.fromEntries([
      ...rows.flatMap(lookupOf),
      ...rows.map((row) => [endpointOf(row.endpoint), pathOf(row)] as const),
    ]),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(rows.filter((row) => !bareOf(row)).map((row) => [row.operation, resourceOf(row)])),
        // refers to itself
        Refusal: { type: 'object', properties: { because: ref('Refusal'), detail: { type: 'string' } } },
      },
    },
  }
  differ(doc)
  return doc
}

export const bytesOf = (doc: unknown): Uint8Array => Buffer.from(JSON.stringify(doc))
