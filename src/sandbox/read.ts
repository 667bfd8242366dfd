// Answers one GET from the store: path, parameters, rows, document. Knows no socket, token or clock.
import { type Answer, jsonAnswer } from './answer.ts'
import { collectionDocument, linkageDocument, linkagesDocument, type Request, singleDocument } from './document.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { findEndpoint, isOwnerType } from './endpoints/index.ts'
import { requireMediaType } from './media-type.ts'
import { narrowOverview, overviewMediaType } from './overview.ts'
import { cutPage } from './page.ts'
import { readQuery } from './query.ts'
import { pathUnknown, resourceMissing } from './refusal.ts'
import { selectRows } from './selection.ts'
import { relatedIds, type Row, type Store } from './store.ts'

export interface Read {
  readonly origin: string
  readonly path: string
  readonly query: string
  readonly accept: string | undefined
  readonly supply: boolean
}

export function answerRead(store: Store, read: Read): Answer {
  const found = findEndpoint(read.path)
  if (found === undefined) throw unknownPath(read.path)
  const { endpoint, id } = found
  requireMediaType(read.accept, endpoint.document === 'bare')
  const asked = readQuery(endpoint, read.query)
  const request: Request = { origin: read.origin, path: read.path, asked, supply: read.supply }
  if (endpoint.document === 'bare') {
    const overview = relatedRows(store, endpoint, id)[0]?.facts['document'] ?? null
    return jsonAnswer(200, narrowOverview(overview, asked.text.get('filter[deviceType]')), overviewMediaType)
  }
  return jsonAnswer(200, documentFor(store, endpoint, id, request))
}

function documentFor(store: Store, endpoint: Endpoint, id: string, request: Request): object {
  const { path, asked } = request
  switch (endpoint.document) {
    case 'collection': {
      const rows = endpoint.parent === null ? store.all(endpoint.type) : relatedRows(store, endpoint, id)
      return collectionDocument(store, request, cutPage(selectRows(store, rows, asked), path, asked))
    }
    case 'linkages':
      return linkagesDocument(request, endpoint.type, cutPage(linkedIds(store, endpoint, id), path, asked))
    case 'linkage':
      return linkageDocument(request, endpoint.type, linkedIds(store, endpoint, id)[0] ?? null)
    default:
      if (endpoint.parent !== null) return singleDocument(store, request, relatedRows(store, endpoint, id)[0] ?? null)
      return singleDocument(store, request, requireRow(store, endpoint.type, id))
  }
}

function requireRow(store: Store, type: string, id: string): Row {
  const row = store.one(type, id)
  if (row === undefined) throw resourceMissing(type, id)
  return row
}

function linkedIds(store: Store, endpoint: Endpoint, id: string): readonly string[] {
  return relatedIds(requireRow(store, endpoint.parent ?? '', id), endpoint.relation ?? '')
}

function relatedRows(store: Store, endpoint: Endpoint, id: string): Row[] {
  return linkedIds(store, endpoint, id).flatMap((each) => store.one(endpoint.type, each) ?? [])
}

function unknownPath(path: string): Error {
  const [, , owner = '', , ...rest] = path.split('/')
  if (!isOwnerType(owner)) return pathUnknown('The path provided does not match a defined resource type.')
  const relation = rest.at(-1)
  return pathUnknown(
    relation === undefined ? `The path '${path}' is not valid` : `The relationship '${relation}' does not exist`,
  )
}
