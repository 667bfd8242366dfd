// The platform requests of a route, from the engine's own plans: every parameter with every value, and which ones are always
// sent. Without the cursor, which no document declares.
import type { Route } from '../catalogue/define.ts'
import { pageSize, queryParameters } from '../catalogue/parameters.ts'
import { planReads } from '../engine/plan.ts'
import type { Purpose } from '../engine/port.ts'

export interface SentParameter {
  readonly name: string
  /** all values that can be sent, in the platform's words; undefined: any */
  readonly values?: readonly string[]
  readonly isAlways: boolean
  /** callers may give one value only */
  readonly isSingle?: boolean
}

export interface ReviewedRequest {
  readonly endpoint: string
  readonly sent: readonly SentParameter[]
}

export interface PlannedLookup extends ReviewedRequest {
  readonly type: string
  readonly purpose: Exclude<Purpose, 'answer'>
}

const isOpen = (route: Route, given: string | undefined): boolean =>
  given !== undefined && Object.hasOwn(route.filters, given) && !route.filters[given]?.values

export function plannedRequests(route: Route): { readonly read: ReviewedRequest; readonly lookup?: PlannedLookup } {
  const parameters = queryParameters(route)
  const sort = parameters.find(({ kind }) => kind === 'sort')?.values?.join(',')
  const filters = new Map(
    parameters.filter(({ kind }) => kind === 'filter').map(({ name, values }) => [name, (values ?? ['any']).join(',')]),
  )
  const query = { filters, limit: pageSize.most, ...(sort !== undefined && { sort }) }
  const { read, lookup } = planReads(route, { ids: {}, query, linkage: true })
  const least = planReads(route, { ids: {}, query: { filters: new Map() }, linkage: false }).read.asked
  const requestOf = ({ endpoint, asked }: typeof read, always: typeof read.asked): ReviewedRequest => ({
    endpoint,
    sent: asked.map(({ name, value, given, isId = false }) => ({
      name,
      isAlways: always.some((one) => one.name === name),
      isSingle: given !== undefined && route.filters[given]?.isSingle === true,
      ...(!isId && !isOpen(route, given) && { values: value.split(',') }),
    })),
  })
  return {
    read: requestOf(read, least),
    ...(lookup && { lookup: { ...requestOf(lookup, lookup.asked), type: lookup.type, purpose: lookup.purpose } }),
  }
}
