// The table of an operation's parameters, as they are documented. Filling them in is left to the try panel.
import { code, element } from './element.js'
import { prose } from './prose.js'
import { listingView, schemaView, typeText, valueSchema } from './schema-view.js'
import { valueList } from './value-list.js'

function row({ name, required, description: about = '', schema }) {
  const value = valueSchema(schema)
  const { default: standard } = schemaView(value)
  const { values } = listingView(value)
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, code(name), required ? element('span', { class: 'required' }, 'required') : null),
    element('td', { class: 'type' }, typeText(value)),
    element(
      'td',
      {},
      element('p', {}, prose(about)),
      standard === undefined ? null : valueList([standard], 'Default'),
      values ? valueList(values, 'Allowed') : null,
    ),
  )
}

export function parameterTable(parameters) {
  const head = ['Parameter', 'Type', 'Meaning'].map((title) => element('th', { scope: 'col' }, title))
  return element(
    'table',
    { class: 'parameters' },
    element('thead', {}, element('tr', {}, head)),
    element('tbody', {}, parameters.map(row)),
  )
}
