// Answers one GET from the store: path, parameters, rows, document. Knows no socket, token or clock.
import { jsonAnswer, type SandboxAnswer, textAnswer } from './answer.ts'
import {
  collectionDocument,
  linkageDocument,
  linkagesDocument,
  type DocumentRequest,
  singleDocument,
} from './document.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { findEndpoint, isOwnerType } from './endpoints/index.ts'
import { cutRows } from './page.ts'
import { readSandboxQuery } from './query.ts'
import { pathUnknown, resourceMissing, SandboxRefusal } from './refusal.ts'
import { selectRows } from './selection.ts'
import { type JsonValue, relatedIds, type SandboxRow, type RowStore } from './store.ts'

const overviewMediaType = 'application/vnd.apple.xcode-overview+json'

export interface Read {
  readonly origin: string
  readonly path: string
  readonly query: string
  readonly accept: string | undefined
  readonly supply: boolean
}

export function answerRead(store: RowStore, read: Read): SandboxAnswer {
  const found = findEndpoint(read.path)
  if (found === undefined) throw unknownPath(read.path)
  const { endpoint, id } = found
  requireMediaType(read.accept, endpoint.document === 'bare')
  const asked = readSandboxQuery(endpoint, read.query)
  const request: DocumentRequest = { origin: read.origin, path: read.path, asked, supply: read.supply }
  if (endpoint.document === 'bare') {
    const overview = relatedRows(store, endpoint, id)[0]?.values['document'] ?? null
    return jsonAnswer(200, narrowOverview(overview, asked.text.get('filter[deviceType]')), overviewMediaType)
  }
  return jsonAnswer(200, documentFor(store, endpoint, id, request))
}

// The platform's 406 has a plain-text body, unlike its other refusals.
function requireMediaType(accept: string | undefined, isOverview: boolean): void {
  const items = (accept ?? '*/*').split(',')
  const offered = new Set(items.map((item) => item.split(';')[0]?.trim().toLowerCase()))
  const wanted = isOverview ? [overviewMediaType] : ['application/json', 'application/*', '*/*']
  if (wanted.some((type) => offered.has(type))) return
  throw new SandboxRefusal(textAnswer(406, `Not Acceptable: the answer is of type ${wanted[0] ?? ''}`))
}

function documentFor(store: RowStore, endpoint: Endpoint, id: string, request: DocumentRequest): object {
  const { path, asked } = request
  switch (endpoint.document) {
    case 'collection': {
      const rows = endpoint.parent === null ? store.all(endpoint.type) : relatedRows(store, endpoint, id)
      return collectionDocument(store, request, cutRows(selectRows(store, rows, asked), path, asked))
    }
    case 'linkages':
      return linkagesDocument(request, endpoint.type, cutRows(linkedIds(store, endpoint, id), path, asked))
    case 'linkage':
      return linkageDocument(request, endpoint.type, linkedIds(store, endpoint, id)[0] ?? null)
    default:
      if (endpoint.parent !== null) return singleDocument(store, request, relatedRows(store, endpoint, id)[0] ?? null)
      return singleDocument(store, request, requireRow(store, endpoint.type, id))
  }
}

function requireRow(store: RowStore, type: string, id: string): SandboxRow {
  const row = store.one(type, id)
  if (row === undefined) throw resourceMissing(type, id)
  return row
}

const linkedIds = (store: RowStore, endpoint: Endpoint, id: string): readonly string[] =>
  relatedIds(requireRow(store, endpoint.parent ?? '', id), endpoint.relation ?? '')

const relatedRows = (store: RowStore, endpoint: Endpoint, id: string): SandboxRow[] =>
  linkedIds(store, endpoint, id).flatMap((each) => store.one(endpoint.type, each) ?? [])

function unknownPath(path: string): Error {
  const [, , owner = '', , ...rest] = path.split('/')
  if (!isOwnerType(owner)) return pathUnknown('The path provided does not match a defined resource type.')
  const relation = rest.at(-1)
  return pathUnknown(
    relation === undefined ? `The path '${path}' is not valid` : `The relationship '${relation}' does not exist`,
  )
}

// The performance overview is a document outside JSON:API, reduced to the device types of the filter.
const narrowOverview = (overview: JsonValue, deviceType: string | undefined): JsonValue =>
  deviceType === undefined ? overview : (narrow(overview, deviceType) ?? overview)

// Device identifiers such as iPhone15,2 hold a comma themselves, so the list is searched instead of split.
const isAsked = (device: JsonValue | undefined, deviceType: string): boolean =>
  typeof device !== 'string' || `,${deviceType},`.includes(`,${device},`)

function narrow(value: JsonValue, deviceType: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map((item) => narrow(item, deviceType)).filter((item) => item !== undefined)
  }
  if (value === null || typeof value !== 'object') return value
  const members = value as { readonly [name: string]: JsonValue }
  const criteria = members['filterCriteria'] as { readonly device?: JsonValue } | undefined
  if (!isAsked(members['device'], deviceType)) return undefined
  if (!isAsked(criteria?.device, deviceType)) return undefined
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      name === 'filterCriteria' ? member : (narrow(member, deviceType) ?? null),
    ]),
  )
}
