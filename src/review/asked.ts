// What a route asks of the platform, as the engine itself would plan it: at most, every parameter with every value; and at
// least, those that go with every read. Only the cursor is left out, which no document declares.
import type { Route } from '../catalogue/define.ts'
import { pageSize, queryParameters } from '../catalogue/parameters.ts'
import { planReads } from '../engine/plan.ts'

export interface Sent {
  /** the platform's parameter */
  readonly name: string
  /** all that can be sent, in the platform's words; undefined: whatever the caller says */
  readonly values?: readonly string[]
  /** with every read, whatever the caller says */
  readonly isAlways: boolean
}

/** Questions to one endpoint. What else asks the platform something can be held against the document as such. */
export interface Request {
  readonly endpoint: string
  readonly sent: readonly Sent[]
}

/** The listing that is followed before the read: whose ids are looked for in it, and whether by their locale. */
export interface LookupRequest extends Request {
  readonly type: string
  readonly purpose: 'locale' | 'membership'
}

const isOpen = (route: Route, given: string | undefined): boolean =>
  given !== undefined && Object.hasOwn(route.filters, given) && !route.filters[given]?.values

/** the read that answers, and the lookup before it, where there is one */
export function requestsOf(route: Route): { readonly read: Request; readonly lookup?: LookupRequest } {
  const parameters = queryParameters(route)
  const sort = parameters.find(({ kind }) => kind === 'sort')?.values?.join(',')
  const filters = new Map(
    parameters.filter(({ kind }) => kind === 'filter').map(({ name, values }) => [name, (values ?? ['any']).join(',')]),
  )
  const query = { filters, limit: pageSize.most, ...(sort !== undefined && { sort }) }
  const { read, lookup } = planReads(route, { ids: {}, query, linkage: true })
  const least = planReads(route, { ids: {}, query: { filters: new Map() }, linkage: false }).read.asked
  const requestOf = ({ endpoint, asked }: typeof read, always: typeof read.asked): Request => ({
    endpoint,
    sent: asked.map(({ name, value, given }) => ({
      ...{ name, isAlways: always.some((one) => one.name === name) },
      ...(!isOpen(route, given) && { values: value.split(',') }),
    })),
  })
  return {
    read: requestOf(read, least),
    ...(lookup && { lookup: { ...requestOf(lookup, lookup.asked), type: lookup.type, purpose: lookup.purpose } }),
  }
}
