// How one read of the platform is written down: its path, its kind of document and every parameter it takes.
// The families beside this file are tables of these; nothing here answers a request.
import { fieldNames, wordsFor } from '../words/index.ts'
import { wordsOf } from '../words/resource.ts'

export type Parameter =
  | { readonly kind: 'list'; readonly allowed: ReadonlySet<string> | null }
  | { readonly kind: 'count'; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'cursor' }

export type DocumentKind = 'collection' | 'single' | 'linkages' | 'linkage' | 'bare'

export interface Endpoint {
  readonly path: string
  readonly document: DocumentKind
  readonly type: string
  readonly parent: string | null
  readonly relation: string | null
  readonly parameters: ReadonlyMap<string, Parameter>
}

export interface EndpointText {
  // Filter name to its closed list of values, or null where any value is legal.
  readonly filters?: Readonly<Record<string, readonly string[] | null>>
  readonly exists?: string
  readonly sort?: string
  readonly fields?: string
  readonly include?: string
  // Relationships whose included linkages can be limited, `name` or `name:max` (50 unless told).
  readonly limits?: string
}

const list = (allowed: readonly string[] | null): Parameter => ({
  kind: 'list',
  allowed: allowed === null || allowed.length === 0 ? null : new Set(allowed),
})

function parametersOf(document: DocumentKind, text: EndpointText): Map<string, Parameter> {
  const all = new Map<string, Parameter>()
  const sorts = wordsOf(text.sort)
  for (const [name, allowed] of Object.entries(text.filters ?? {})) all.set(`filter[${name}]`, list(allowed))
  for (const name of wordsOf(text.exists)) all.set(`exists[${name}]`, { kind: 'flag' })
  for (const type of wordsOf(text.fields)) all.set(`fields[${type}]`, list(fieldNames(type)))
  if (sorts.length > 0) all.set('sort', list(sorts.flatMap((key) => [key, `-${key}`])))
  if (text.include !== undefined) all.set('include', list(wordsOf(text.include)))
  for (const word of wordsOf(text.limits)) {
    const [name = word, max = '50'] = word.split(':')
    all.set(`limit[${name}]`, { kind: 'count', max: Number(max) })
  }
  if (document === 'collection' || document === 'linkages') {
    all.set('limit', { kind: 'count', max: 200 })
    all.set('cursor', { kind: 'cursor' })
  }
  return all
}

export function endpoint(document: DocumentKind, path: string, text: EndpointText = {}): Endpoint {
  const segments = path.split('/').slice(2)
  const owner = segments[0] ?? ''
  const relation = segments.length > 2 ? (segments.at(-1) ?? null) : null
  const type = relation === null ? owner : (wordsFor(owner).relations.get(relation)?.type ?? relation)
  return {
    path,
    document,
    type,
    parent: relation === null ? null : owner,
    relation,
    parameters: parametersOf(document, text),
  }
}
