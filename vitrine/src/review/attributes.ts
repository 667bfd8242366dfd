// Compares documented fields with the properties of a schema, nested ones included.
import type { Field } from '../catalogue/define.ts'
import { vocabulary } from '../catalogue/vocabulary.ts'
import type { Difference } from './finding.ts'
import type { SchemaView, ViewSchema } from './schema.ts'

const inPlatformWords = (name: string): string => vocabulary[name] ?? name

const typeWords = (types: readonly string[]): string => types.join(' or ') || 'anything'

function valueDifferences(at: string, known: readonly string[], listed: readonly string[]): Difference[] {
  const words = new Set(known.map(inPlatformWords))
  return [
    ...known
      .filter((value) => !listed.includes(inPlatformWords(value)))
      .map((ours): Difference => ({ class: 'known-value-gone', at, ours })),
    ...listed
      .filter((value) => !words.has(value))
      .map((theirs): Difference => ({ class: 'known-value-new', at, theirs })),
  ]
}

function fieldDifferences(at: string, field: Field, schema: unknown, view: ViewSchema): Difference[] {
  const seen = view(schema)
  const { kind, format = 'none', values, items, properties } = field
  const deprecated: Difference[] = seen.isDeprecated ? [{ class: 'part-deprecated', at }] : []
  if (seen.types.length !== 1 || seen.types[0] !== kind)
    return [...deprecated, { class: 'type-changed', at, ours: kind, theirs: typeWords(seen.types) }]
  const theirs = seen.format ?? 'none'
  return [
    ...deprecated,
    ...(theirs === format ? [] : [{ class: 'format-changed', at, ours: format, theirs } as const]),
    ...(kind === 'string' ? knownDifferences(at, values, seen) : []),
    ...(items ? fieldDifferences(`${at}[]`, items, seen.items, view) : []),
    ...(properties ? attributeDifferences(properties, seen, view, `${at}.`) : []),
  ]
}

/** A list that is open in the document is one difference, not one for each value. */
function knownDifferences(
  at: string,
  values: readonly string[] | undefined,
  { values: listed }: SchemaView,
): Difference[] {
  if (!listed) return values ? [{ class: 'known-value-gone', at, ours: 'all', theirs: 'any' }] : []
  return valueDifferences(at, values ?? [], listed)
}

export function attributeDifferences(
  fields: Readonly<Record<string, Field>>,
  { properties = new Map() }: Pick<SchemaView, 'properties'>,
  view: ViewSchema,
  within = '',
): Difference[] {
  const known = new Set(Object.keys(fields).map(inPlatformWords))
  return [
    ...Object.entries(fields).flatMap(([name, field]): Difference[] => {
      const word = inPlatformWords(name)
      if (!properties.has(word)) return [{ class: 'attribute-gone', at: within + name }]
      return fieldDifferences(within + name, field, properties.get(word), view)
    }),
    ...[...properties]
      .filter(([name, schema]) => !known.has(name) && !view(schema).isDeprecated)
      .map(([name]): Difference => ({ class: 'attribute-new', at: within + name })),
  ]
}
