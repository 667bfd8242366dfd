// The columns of an answer, their order, and the text of their cells.
import { type Field, isList, type Route } from '../../catalogue/define.ts'
import { sourcesOf } from '../../catalogue/id-sources.ts'
import { routes } from '../../catalogue/index.ts'
import { pathNames } from '../../catalogue/parameters.ts'
import type { Cell } from '../../../../base/cli/table.ts'

export type Item = Readonly<Record<string, unknown>>

export const itemOf = (value: unknown): Item =>
  typeof value === 'object' && value !== null ? (value as Item) : { id: value }

/** equal for every page of a list; `lead`: columns that precede those of the items */
export function columnsFor({ returns }: Route, fields: string | undefined, lead: readonly string[] = []): string[] {
  const all = returns ? [...Object.keys(returns.attributes), ...returns.fromPath, ...Object.keys(returns.links)] : []
  return [...new Set([...lead, 'id', ...(returns ? (fields?.split(',') ?? all) : all)])]
}

/** the service may be newer than this program */
export const undocumentedFields = (items: readonly Item[], columns: readonly string[]): string[] => {
  const known = new Set(columns)
  return [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) => !known.has(name))
}

const isBulky = (field: Field | undefined): boolean =>
  field?.format === 'uri' || field?.kind === 'object' || field?.kind === 'array'

/** whether other operations take the id of an item */
const isIdTaken = ({ operation }: Route): boolean =>
  routes.some((route) =>
    pathNames(route).some((name) =>
      sourcesOf(name, route, routes).some((source) => source.operation === operation && source.field === undefined),
    ),
  )

const isNamed = (name: string, lead: readonly string[]): boolean => lead.includes(name.replace(/Id$/, 'Name'))

/**
 * Ordered for people: names before addresses and objects, then values of the path, then empty columns. An id that no operation
 * takes comes last, as do the ids of rows that have names.
 */
export function columnsForPeople(
  route: Route,
  items: readonly Item[],
  fields: string | undefined,
  lead: readonly string[] = [],
): string[] {
  const documented = columnsFor(route, fields, lead)
  const all = [...documented, ...undocumentedFields(items, documented)]
  const { attributes = {}, fromPath = [] } = route.returns ?? {}
  const isPresent = new Set(items.flatMap((item) => Object.keys(item)))
  const isEmpty = (name: string) => items.every((item) => (item[name] ?? null) === null)
  const idRank = route.returns && (lead.length > 0 || (isList(route) && !isIdTaken(route))) ? 7 : 0
  const rank = (name: string): number => {
    if (name === 'id') return idRank
    if (lead.includes(name)) return name.endsWith('Id') && isNamed(name, lead) ? 6 : -1
    if (fields !== undefined) return 1
    if (isEmpty(name)) return 5
    if (name in attributes) return isBulky(attributes[name]) ? 2 : 1
    return fromPath.includes(name) ? 4 : 3
  }
  return all
    .filter((name) => name === 'id' || fields !== undefined || isPresent.has(name))
    .toSorted((a, b) => rank(a) - rank(b))
}

export function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return JSON.stringify(value)
}
