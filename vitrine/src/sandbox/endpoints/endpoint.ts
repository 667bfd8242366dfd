// How an endpoint is written down: its path, its kind of document and every parameter that it takes.
import { fieldNames, schemaFor } from '../schemas/index.ts'
import { splitWords } from '../schemas/resource.ts'

export type EndpointParameter = { readonly isRequired?: boolean } & (
  | { readonly kind: 'list'; readonly allowed: ReadonlySet<string> | null }
  | { readonly kind: 'count'; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'date' }
  | { readonly kind: 'cursor' }
)

type DocumentKind = 'collection' | 'single' | 'linkages' | 'linkage' | 'bare'

export interface Endpoint {
  readonly path: string
  readonly document: DocumentKind
  readonly type: string
  readonly parent: string | null
  readonly relation: string | null
  readonly parameters: ReadonlyMap<string, EndpointParameter>
}

interface EndpointText {
  // Filters that take any value.
  readonly open?: string
  // Filters with a closed list of values.
  readonly closed?: Readonly<Record<string, readonly string[]>>
  // Filters by an instant: an attribute, and how it compares.
  readonly dates?: string
  readonly exists?: string
  // Filters without which a request is refused.
  readonly required?: string
  readonly sort?: string
  // Their types take `fields`. Those to many take a limit: of 50 linkages, or as many as `name:max` says.
  readonly include?: string
}

const list = (allowed: readonly string[]): EndpointParameter => ({
  kind: 'list',
  allowed: allowed.length === 0 ? null : new Set(allowed),
})

function parametersOf(document: DocumentKind, type: string, text: EndpointText): Map<string, EndpointParameter> {
  const all = new Map<string, EndpointParameter>()
  const sorts = splitWords(text.sort)
  for (const name of splitWords(text.open)) all.set(`filter[${name}]`, list([]))
  for (const [name, allowed] of Object.entries(text.closed ?? {})) all.set(`filter[${name}]`, list(allowed))
  for (const name of splitWords(text.required)) {
    const filter = all.get(`filter[${name}]`) ?? list([])
    all.set(`filter[${name}]`, { ...filter, isRequired: true })
  }
  for (const name of splitWords(text.dates)) all.set(`filter[${name}]`, { kind: 'date' })
  for (const name of splitWords(text.exists)) all.set(`exists[${name}]`, { kind: 'flag' })
  if (sorts.length > 0) all.set('sort', list(sorts.flatMap((key) => [key, `-${key}`])))
  if (document === 'collection' || document === 'single') all.set(`fields[${type}]`, list(fieldNames(type)))
  const included = splitWords(text.include).map((word) => word.split(':'))
  if (included.length > 0) all.set('include', list(included.map(([name = '']) => name)))
  for (const [name = '', max = '50'] of included) {
    const relation = schemaFor(type).relations.get(name)
    if (relation) all.set(`fields[${relation.type}]`, list(fieldNames(relation.type)))
    if (relation?.many) all.set(`limit[${name}]`, { kind: 'count', max: Number(max) })
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
  const type = relation === null ? owner : (schemaFor(owner).relations.get(relation)?.type ?? relation)
  return {
    path,
    document,
    type,
    parent: relation === null ? null : owner,
    relation,
    parameters: parametersOf(document, type, text),
  }
}
