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

function valueOf(text: string, parameter: Parameter | undefined): ExampleValue {
  if (parameter?.kind === 'limit') return Number(text)
  return parameter?.kind === 'cursor' || parameter?.isSingle ? text : text.split(',')
}

/** of path and query, by name */
export function exampleParams(route: Route): Record<string, ExampleValue> {
  const parameters = new Map(queryParameters(route).map((one) => [one.name, one]))
  const query = [...new URLSearchParams(route.example.split('?')[1] ?? '')]
  const values = query.map(([name, text]) => [name, valueOf(text, parameters.get(name))] as const)
  return { ...exampleIds(route), ...Object.fromEntries(values) }
}
