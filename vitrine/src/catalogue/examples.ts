// The parameter values of a route's example.
import type { Route } from './define.ts'
import { type Parameter, queryParameters } from './parameters.ts'

export type ExampleValue = string | number | readonly string[]

/** of the path, decoded */
export function exampleIds({ path, example }: Pick<Route, 'path' | 'example'>): Record<string, string> {
  const given = example.split('?', 1)[0]?.split('/') ?? []
  const parts = path.split('/').map((part, i) => [part, given[i] ?? ''] as const)
  return Object.fromEntries(
    parts.filter(([part]) => part.startsWith('{')).map(([part, id]) => [part.slice(1, -1), decodeURIComponent(id)]),
  )
}

const valueOf = (text: string, kind: Parameter['kind']): ExampleValue =>
  kind === 'limit' ? Number(text) : kind === 'cursor' ? text : text.split(',')

/** of path and query, by name */
export function exampleParams(route: Route): Record<string, ExampleValue> {
  const kinds = new Map(queryParameters(route).map(({ name, kind }) => [name, kind]))
  const query = [...new URLSearchParams(route.example.split('?')[1] ?? '')]
  const values = query.map(([name, text]) => [name, valueOf(text, kinds.get(name) ?? 'filter')] as const)
  return { ...exampleIds(route), ...Object.fromEntries(values) }
}
