// Builds JSON:API documents around resources: data, included, links and paging.
import { type CutRows } from './page.ts'
import { includedIds, resourceUrl, showResource } from './resource.ts'
import type { AskedQuery } from './query.ts'
import type { SandboxRow, RowStore } from './store.ts'

export interface DocumentRequest {
  readonly origin: string
  readonly path: string
  readonly asked: AskedQuery
  readonly supply: boolean
}

export function singleDocument(store: RowStore, request: DocumentRequest, row: SandboxRow | null): object {
  const links = { self: addressOf(request, null) }
  if (row === null) return { data: null, links }
  return { ...shownRows(store, request, [row], (shown) => shown[0]), links }
}

export const collectionDocument = (store: RowStore, request: DocumentRequest, page: CutRows<SandboxRow>): object => ({
  ...shownRows(store, request, page.items, (shown) => shown),
  ...pagingOf(request, page),
})

export function linkagesDocument(request: DocumentRequest, type: string, page: CutRows<string>): object {
  const paging = pagingOf(request, page)
  const links = { ...paging.links, related: relatedAddress(request) }
  return { data: page.items.map((id) => ({ type, id })), links, meta: paging.meta }
}

export function linkageDocument(request: DocumentRequest, type: string, id: string | null): object {
  const links = { self: addressOf(request, null), related: relatedAddress(request) }
  return { data: id === null ? null : { type, id }, links }
}

function shownRows(
  store: RowStore,
  request: DocumentRequest,
  rows: readonly SandboxRow[],
  place: (shown: object[]) => unknown,
): object {
  const { origin, asked, supply } = request
  const included = new Set(asked.lists.get('include'))
  const data = place(rows.map((row) => showResource(row, { origin, asked, included, supply })))
  if (!asked.lists.has('include')) return { data }
  const seen = new Map<string, SandboxRow>()
  for (const { type, id } of rows.flatMap((row) => includedIds(row, asked, included))) {
    const row = store.one(type, id)
    if (row !== undefined) seen.set(`${type} ${id}`, row)
  }
  const bare = { origin, asked, included: new Set<string>(), supply }
  return { data, included: [...seen.values()].map((row) => showResource(row, bare)) }
}

function pagingOf(request: DocumentRequest, page: CutRows<unknown>): { links: Record<string, string>; meta: object } {
  return {
    links: {
      self: addressOf(request, request.asked.text.get('cursor') ?? null),
      ...(page.offset > 0 && { first: addressOf(request, null) }),
      ...(page.next !== null && { next: addressOf(request, page.next) }),
    },
    meta: { paging: { total: page.total, limit: page.limit } },
  }
}

// Links repeat the original query with brackets and commas percent-encoded, the cursor last.
function addressOf(request: DocumentRequest, cursor: string | null): string {
  const pairs = [...request.asked.text].filter(([name]) => name !== 'cursor')
  if (cursor !== null) pairs.push(['cursor', cursor])
  const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return `${request.origin}${request.path}${query.length > 0 ? '?' : ''}${query.join('&')}`
}

function relatedAddress(request: DocumentRequest): string {
  const [, , owner = '', id = '', , relation = ''] = request.path.split('/')
  return `${resourceUrl(request.origin, owner, decodeURIComponent(id))}/${relation}`
}
