// An example made from a schema, where the description gives none: the members that are always there, each with its
// example, default, first allowed value, or a value of its type.
import { listingView, schemaView } from './schema-view.js'

const ofType = {
  string: ({ format }) => (format === 'date-time' ? '2026-11-23T12:00:00.000Z' : 'string'),
  integer: ({ minimum }) => minimum ?? 0,
  number: ({ minimum }) => minimum ?? 0,
  boolean: () => false,
  array: ({ items }, depth) => (items && depth < 4 ? [exampleOf(items, depth + 1)] : []),
  object: (view, depth) => membersExample(view, depth),
}

function membersExample({ properties = {}, required = [] }, depth) {
  const names = required.length > 0 ? required : Object.keys(properties)
  const members = names.filter((name) => properties[name] !== undefined && depth < 5)
  return Object.fromEntries(members.map((name) => [name, exampleOf(properties[name], depth + 1)]))
}

export function exampleOf(schema, depth = 0) {
  const view = schemaView(schema)
  const [type = view.properties ? 'object' : 'string'] = view.types
  const given = view.example ?? view.examples?.[0] ?? view.const ?? view.default
  if (given !== undefined) return given
  const { values } = listingView(schema)
  if (values) return type === 'array' ? [values[0]] : values[0]
  return ofType[type]?.(view, depth) ?? null
}
