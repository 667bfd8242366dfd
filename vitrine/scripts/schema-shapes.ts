// A schema of a description as what it comes to, however it is written: references followed, alternatives joined.
import type { Json, Promised } from './promised.ts'

export interface Shape {
  readonly types: readonly string[]
  /** all values, where there can be no other */
  readonly values?: readonly string[]
  readonly formats: string
  readonly properties: Json
  readonly required: readonly string[]
  readonly items?: Json
  readonly isClosed: boolean
  readonly bounds: Json
}

const lists = (value: unknown): any[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])
const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1))

export const nameOf = (schema: Json | undefined): string | undefined => schema?.['$ref']?.split('/').at(-1)

/** `schemas`: those that others refer to by name */
export function shapeOf(schema: Json, schemas: Promised['schemas']): Shape {
  const name = nameOf(schema)
  if (name !== undefined) return shapeOf(schemas[name] ?? {}, schemas)
  const inner = lists(schema['anyOf'] ?? schema['oneOf']).map((one) => shapeOf(one, schemas))
  const parts = inner.filter(({ types }) => types.join() !== 'null')
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']]
  const known = parts.length > 0 && parts.every((one) => one.values) ? parts.flatMap((one) => one.values ?? []) : values
  const items = schema['items'] ?? parts.find((one) => one.items)?.items
  return {
    types: sorted([...lists(schema['type']), ...inner.flatMap(({ types }) => types)]),
    ...(known && { values: known.map(String) }),
    formats: sorted([schema['format'] ?? '', ...parts.map(({ formats }) => formats)])
      .filter(Boolean)
      .join(),
    properties: { ...schema['properties'], ...Object.assign({}, ...parts.map(({ properties }) => properties)) },
    required: [...lists(schema['required']), ...parts.flatMap(({ required }) => required)],
    ...(items && { items }),
    isClosed: schema['additionalProperties'] === false,
    bounds: schema,
  }
}
