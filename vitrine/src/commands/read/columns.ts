// The columns of an answer, their order, and the text of their cells.
import type { Field, Route } from '../../catalogue/define.ts'
import type { Cell } from '../../../../base/cli/table.ts'

export type Item = Readonly<Record<string, unknown>>

export const itemOf = (value: unknown): Item =>
  typeof value === 'object' && value !== null ? (value as Item) : { id: value }

/** equal for every page of a list */
export function columnsFor({ returns }: Route, fields: string | undefined): string[] {
  if (!returns) return ['id']
  if (fields !== undefined) return ['id', ...fields.split(',')]
  return [...new Set(['id', ...Object.keys(returns.attributes), ...returns.fromPath, ...Object.keys(returns.links)])]
}

/** the service may be newer than this program */
export const undocumentedFields = (items: readonly Item[], columns: readonly string[]): string[] => {
  const known = new Set(columns)
  return [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) => !known.has(name))
}

const isBulky = (field: Field | undefined): boolean =>
  field?.format === 'uri' || field?.kind === 'object' || field?.kind === 'array'

/** ordered for people: names before addresses and objects, empty columns last */
export function columnsForPeople(route: Route, items: readonly Item[], fields: string | undefined): string[] {
  const documented = columnsFor(route, fields)
  const all = [...documented, ...undocumentedFields(items, documented)]
  if (fields !== undefined) return all
  const attributes = route.returns?.attributes ?? {}
  const isPresent = new Set(items.flatMap((item) => Object.keys(item)))
  const isEmpty = (name: string) => items.every((item) => (item[name] ?? null) === null)
  const rank = (name: string) =>
    name === 'id' ? 0 : isEmpty(name) ? 4 : name in attributes ? (isBulky(attributes[name]) ? 2 : 1) : 3
  return all.filter((name) => name === 'id' || isPresent.has(name)).sort((a, b) => rank(a) - rank(b))
}

export function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return JSON.stringify(value)
}
