// Checks the platform's envelope: a document that is not exactly what was asked for is malformed.
import { malformed, Problem } from '../problems.ts'
import { TextDocument } from './port.ts'
import { incomplete, type PageEnd, readPageEnd, readTotal } from './page-end.ts'
import { isJsonObject, type JsonObject } from '../../../base/core/json.ts'

type Identified = JsonObject & { readonly id: string }

export interface Collection {
  readonly resources: readonly Identified[]
  readonly end: PageEnd
}

export function readEnvelope(given: unknown): JsonObject {
  const json = given instanceof TextDocument ? given.toJSON() : given
  if (!isJsonObject(json)) throw malformed('the document is not an object')
  if ('errors' in json) throw malformed('a success holds errors')
  return json
}

function readData(json: unknown): { document: JsonObject; data: unknown } {
  const document = readEnvelope(json)
  if (!Object.hasOwn(document, 'data')) throw malformed('the document has no data')
  return { document, data: document['data'] }
}

function readResource(value: unknown, type: string): Identified {
  if (!isJsonObject(value)) throw malformed('a resource is not an object')
  if (typeof value['id'] !== 'string' || value['id'] === '') throw malformed('a resource has no id')
  if (value['type'] !== type) throw malformed(`a resource is not of type ${type}`)
  return value as Identified
}

export function readCollection(json: unknown, type: string, limit: number): Collection {
  const { document, data } = readData(json)
  if (!Array.isArray(data)) throw malformed('the data of a list is not a list')
  if (data.length > limit) throw malformed('a page holds more than was asked for')
  const resources = data.map((item) => readResource(item, type))
  return { resources, end: readPageEnd(document, new Set(resources.map(({ id }) => id)).size) }
}

/** the resources that came along, by type and id */
export function readIncluded(json: unknown): ReadonlyMap<string, JsonObject> {
  const { included = [] } = readEnvelope(json)
  if (!Array.isArray(included)) throw malformed('what a document includes is not a list')
  return new Map(included.filter(isJsonObject).map((one) => [`${String(one['type'])} ${String(one['id'])}`, one]))
}

interface Expected {
  readonly type: string
  readonly id?: string | undefined
  readonly mayBeAbsent?: boolean | undefined
}

export function readSingle(json: unknown, { type, id, mayBeAbsent }: Expected): JsonObject {
  const { data } = readData(json)
  if (data === null && mayBeAbsent) throw new Problem('resource_not_found')
  const resource = readResource(data, type)
  if (id !== undefined) requireSameId(resource.id, id, 'the platform answered another id')
  return resource
}

/** Refuses a resource with another id. The platform matches ids without regard to case; Vitrine does not. */
export function requireSameId(answered: string, asked: string, why: string) {
  if (answered === asked) return
  if (answered.toLowerCase() !== asked.toLowerCase()) throw malformed(why)
  throw new Problem('resource_not_found', {
    message: 'There is no resource with exactly this id: the platform writes it in other upper and lower case.',
  })
}

export function readLinkage(json: unknown, type: string): string | null {
  const { data } = readData(json)
  return data === null ? null : readResource(data, type).id
}

const relationshipOf = ({ relationships }: JsonObject, name: string): unknown =>
  isJsonObject(relationships) ? relationships[name] : undefined

/** The ids of a to-many relationship. The platform gives only the first ones of a long list. */
export function readLinkages(resource: JsonObject, name: string, type: string): string[] {
  const relationship = relationshipOf(resource, name)
  if (!isJsonObject(relationship) || !Array.isArray(relationship['data']))
    throw malformed(`the platform does not supply the relationship ${name}`)
  const ids = new Set(relationship['data'].map((one) => readResource(one, type).id))
  const { meta } = relationship
  const paging = isJsonObject(meta) && isJsonObject(meta['paging']) ? meta['paging'] : {}
  const total = readTotal(paging['total'])
  if ((paging['nextCursor'] ?? '') !== '' || (total !== undefined && ids.size < total))
    throw incomplete('a relationship holds more than the platform gives')
  return [...ids]
}

export interface Related {
  readonly name: string
  readonly type: string
}

/** the ids that a relationship names, to one resource or to many */
export function readRelated(resource: JsonObject, { name, type }: Related): string[] {
  const relationship = relationshipOf(resource, name)
  const data = isJsonObject(relationship) ? relationship['data'] : undefined
  if (data === null) return []
  return Array.isArray(data) ? readLinkages(resource, name, type) : [readResource(data, type).id]
}
