// What a schema of the description says, in the form that the page needs. Drawing it is left to others.
import { resolved } from './description.js'

/** one view of a schema, whether it lists its values plainly or beside "any other string" */
export function schemaView(given) {
  const schema = resolved(given)
  const branches = [schema, ...(schema.anyOf ?? []).map(resolved)]
  const types = new Set(branches.flatMap(({ type = [] }) => type))
  const nullable = types.delete('null')
  const find = (key) => branches.find((branch) => branch[key] !== undefined)?.[key]
  const values = find('enum')
  return {
    ...schema,
    types: [...types],
    nullable,
    values,
    // the list is open where a branch without one stands beside it
    openList: values !== undefined && schema.enum === undefined,
    items: find('items'),
    properties: find('properties'),
  }
}

/** the view that lists values: the schema's own, or that of its items */
export function listingView(schema) {
  const view = schemaView(schema)
  return view.values || !view.items ? view : schemaView(view.items)
}

/** what one value of a parameter is: a list that holds one item at most is taken as that item */
export function valueSchema(schema) {
  const { items, maxItems, default: standard } = schemaView(schema)
  return items && maxItems === 1 ? { ...resolved(items), default: standard } : schema
}

/** the members of an object, or of the objects in a list */
export function membersOf(schema) {
  const { properties, items } = schemaView(schema)
  if (properties) return Object.entries(properties)
  return items ? membersOf(items) : []
}

function rangeText({ minimum, maximum }) {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum}–${maximum}`
  return minimum === undefined ? '' : ` from ${minimum}`
}

/** "strings" for plain types; a named type keeps its name */
function severalOf(schema) {
  const text = typeText(schema)
  return /^[a-z]+$/.test(text) ? `${text}s` : text
}

export function typeText(schema) {
  const view = schemaView(schema)
  const names = view.types.map((type) => {
    if (type === 'array') return view.items ? `list of ${severalOf(view.items)}` : 'list'
    return type === 'object' && view.title ? view.title : type
  })
  return `${names.join(' or ') || 'any'}${view.format ? ` (${view.format})` : ''}${rangeText(view)}`
}
