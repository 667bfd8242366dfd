// Attributes that rows take from a related resource, which the platform includes.
import type { Field, Resource } from './define.ts'

export interface RelatedPart {
  readonly relation: string
  readonly type: string
  /** by the name in our rows */
  readonly fields: readonly (readonly [ours: string, theirs: string, field: Field])[]
}

type Attributes = Resource['attributes']

/** attributes of the resource itself */
export const ownAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, { of }]) => !of))

/** the others, by relationship */
export function relatedParts(
  attributes: Attributes,
  names: readonly string[] = Object.keys(attributes),
): RelatedPart[] {
  const parts = new Map<string, RelatedPart>()
  for (const ours of names) {
    const field = attributes[ours]
    if (!field?.of) continue
    const { relation, type, name } = field.of
    const { fields = [] } = parts.get(relation) ?? {}
    parts.set(relation, { relation, type, fields: [...fields, [ours, name, field]] })
  }
  return [...parts.values()]
}
