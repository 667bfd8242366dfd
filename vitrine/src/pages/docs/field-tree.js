// The fields of an answer as a tree: each with its type, whether it is always there, and the values it may take.
import { code, element, fold } from './element.js'
import { prose } from './prose.js'
import { listingView, membersOf, schemaView, typeText } from './schema-view.js'

const few = 8

export function valueList(values, label) {
  const list = () =>
    element(
      'span.values',
      values.flatMap((value) => [code(String(value)), ' ']),
    )
  if (values.length > few) return fold(`${label}: ${values.length}`, list, { className: 'known' })
  return element('div.known', element('span.tag', label), list())
}

function head(name, schema, required) {
  const { nullable, description: about } = schemaView(schema)
  return [
    element('span.field-name', code(name)),
    element('span.type', `${typeText(schema)}${nullable ? ' or null' : ''}`),
    required ? element('span.tag', 'always present') : null,
    about ? element('span.about', prose(about)) : null,
  ]
}

function item(name, schema, required, depth) {
  const title = head(name, schema, required)
  const { values, openList } = listingView(schema)
  const inside =
    membersOf(schema).length > 0
      ? fold(title, () => fieldTree(schema, depth + 1), { open: depth < 1 })
      : element('div.leaf', title)
  return element('li', inside, values ? valueList(values, openList ? 'Known values' : 'Values') : null)
}

export function fieldTree(schema, depth = 0) {
  const { items, required } = schemaView(schema)
  const always = new Set(items ? schemaView(items).required : required)
  return element(
    'ul.tree',
    membersOf(schema).map(([name, inside]) => item(name, inside, always.has(name), depth)),
  )
}
