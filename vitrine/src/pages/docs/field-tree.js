// The fields of a body or an answer as a tree: each with its type, whether it is always there, and the values it may take.
import { code, element, fold } from './element.js'
import { plural, prose } from './prose.js'
import { listingView, membersOf, schemaView, typeText } from './schema-view.js'

const fewValues = 8
/** more fields than these stand behind a fold, so that a page stays short */
const fewFields = 10

export function valueList(values, label) {
  const list = () =>
    element(
      'span.values',
      values.flatMap((value) => [code(String(value)), ' ']),
    )
  if (values.length > fewValues) return fold(`${label}: ${values.length}`, list, { className: 'known' })
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
  const draw = (members) => members.map(([name, inside]) => item(name, inside, always.has(name), depth))
  const members = membersOf(schema)
  const rest = members.length > fewFields + 2 ? members.slice(fewFields) : []
  const first = element('ul.tree', draw(members.slice(0, members.length - rest.length)))
  if (rest.length === 0) return first
  const more = fold(plural(rest.length, 'more field'), () => element('ul.tree', draw(rest)), { className: 'more' })
  return element('div', first, more)
}
