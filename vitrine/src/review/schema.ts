// One plain view of a schema, whatever way it is written: references, allOf, alternatives, null in OpenAPI 3.0 or 3.1. Null
// itself is ignored, since every field may be null.
import { isJsonObject, type JsonObject } from '../../../base/core/json.ts'
import { arrayOf, member, UnreadableDocument, type VendorDocument } from './document.ts'

export interface SchemaView {
  /** JSON types except null; empty: any */
  readonly types: readonly string[]
  readonly format?: string
  readonly values?: readonly string[]
  readonly items?: unknown
  readonly properties?: ReadonlyMap<string, unknown>
  readonly maximum?: number
  readonly isDeprecated: boolean
}

export type ViewSchema = (schema: unknown) => SchemaView

const anything: SchemaView = { types: [], isDeprecated: false }

/** limits against documents that grow without end when references are followed */
const bounds = { depth: 64, views: 200_000, compared: 4_000_000 }

const typesOf = (schema: JsonObject): string[] => {
  const type = member(schema, 'type')
  const said = (Array.isArray(type) ? (type as unknown[]) : [type]).filter((one) => typeof one === 'string')
  if (said.length > 0) return said.filter((one) => one !== 'null')
  if (isJsonObject(member(schema, 'properties'))) return ['object']
  return member(schema, 'items') === undefined ? [] : ['array']
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const valuesOf = (schema: JsonObject): string[] | undefined => {
  const constant = member(schema, 'const')
  const values = constant === undefined ? member(schema, 'enum') : [constant]
  return Array.isArray(values) ? values.filter((value) => value !== null).map(wordOf) : undefined
}

function ownView(schema: JsonObject): SchemaView {
  const [format, maximum, items] = [member(schema, 'format'), member(schema, 'maximum'), member(schema, 'items')]
  const [values, properties] = [valuesOf(schema), member(schema, 'properties')]
  return {
    types: typesOf(schema),
    ...(typeof format === 'string' && { format }),
    ...(values && { values }),
    ...(items !== undefined && { items }),
    ...(isJsonObject(properties) && { properties: new Map(Object.entries(properties)) }),
    ...(typeof maximum === 'number' && { maximum }),
    isDeprecated: member(schema, 'deprecated') === true,
  }
}

const both = <T>(a: T | undefined, b: T | undefined, join: (a: T, b: T) => T): T | undefined =>
  a === undefined ? b : b === undefined ? a : join(a, b)

/** A property that both sides describe becomes a combined schema, which is viewed only if needed. */
const joined = (
  a: ReadonlyMap<string, unknown>,
  b: ReadonlyMap<string, unknown>,
  word: 'allOf' | 'anyOf',
): ReadonlyMap<string, unknown> =>
  new Map([...a, ...[...b].map(([name, one]) => [name, a.has(name) ? { [word]: [a.get(name), one] } : one] as const)])

const made = (parts: { [K in keyof SchemaView]: SchemaView[K] | undefined }): SchemaView =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as unknown as SchemaView

const inBoth = (x: readonly string[], y: ReadonlySet<string>): string[] => x.filter((value) => y.has(value))

const meet = (a: SchemaView, b: SchemaView): SchemaView =>
  made({
    types:
      a.types.length > 0 && b.types.length > 0 ? a.types.filter((t) => b.types.includes(t)) : [...a.types, ...b.types],
    format: b.format ?? a.format,
    values: both(a.values, b.values, (x, y) => inBoth(x, new Set(y))),
    items: both(a.items, b.items, (x, y) => ({ allOf: [x, y] })),
    properties: both(a.properties, b.properties, (x, y) => joined(x, y, 'allOf')),
    maximum: both(a.maximum, b.maximum, Math.min),
    isDeprecated: a.isDeprecated || b.isDeprecated,
  })

const either = (a: SchemaView, b: SchemaView): SchemaView =>
  made({
    types: a.types.length === 0 || b.types.length === 0 ? [] : [...new Set([...a.types, ...b.types])],
    format: a.format === b.format ? a.format : undefined,
    values: a.values && b.values ? [...new Set([...a.values, ...b.values])] : undefined,
    items: both(a.items, b.items, (x, y) => ({ anyOf: [x, y] })),
    properties: both(a.properties, b.properties, (x, y) => joined(x, y, 'anyOf')),
    maximum: a.maximum === undefined || b.maximum === undefined ? undefined : Math.max(a.maximum, b.maximum),
    isDeprecated: a.isDeprecated && b.isDeprecated,
  })

const sizeOf = ({ values, properties }: SchemaView): number => 1 + (values?.length ?? 0) + (properties?.size ?? 0)

const isNull = (schema: unknown): boolean => member(schema, 'type') === 'null'

export function createSchemaView({ at }: Pick<VendorDocument, 'at'>): ViewSchema {
  let left = bounds.views
  let comparable = bounds.compared
  const entangled = 'the schemas are too entangled to be judged'
  const joinAll = (views: readonly SchemaView[], join: (a: SchemaView, b: SchemaView) => SchemaView): SchemaView =>
    views.reduce((a, b) => {
      comparable -= sizeOf(a) + sizeOf(b)
      if (comparable < 0) throw new UnreadableDocument(entangled)
      return join(a, b)
    })
  function view(schema: unknown, depth: number): SchemaView {
    if (depth > bounds.depth)
      throw new UnreadableDocument('a schema refers to itself, or is combined too deep to be judged')
    if (--left < 0) throw new UnreadableDocument(entangled)
    if (!isJsonObject(schema)) return anything
    const pointer = member(schema, '$ref')
    const parts = [
      ...(typeof pointer === 'string' ? [view(at(pointer), depth + 1)] : []),
      ownView(schema),
      ...arrayOf(member(schema, 'allOf')).map((part) => view(part, depth + 1)),
      ...(['oneOf', 'anyOf'] as const)
        .map((word) => arrayOf(member(schema, word)).filter((one) => !isNull(one)))
        .filter((alternatives) => alternatives.length > 0)
        .map((alternatives) =>
          joinAll(
            alternatives.map((one) => view(one, depth + 1)),
            either,
          ),
        ),
    ]
    return joinAll(parts, meet)
  }
  return (schema) => view(schema, 0)
}
