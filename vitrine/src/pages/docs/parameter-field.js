// One parameter: what it means, the field in which it is filled in, and how its value is read back. What the values add up
// to is left to the request.
import { code, element, fold } from './element.js'
import { plural, prose } from './prose.js'
import { listingView, schemaView, typeText, valueSchema } from './schema-view.js'
import { holdConnection, session } from './session.js'

function choiceBox(name, checked, onChange) {
  const box = element('input', { type: 'checkbox', value: name, checked })
  box.addEventListener('change', () => onChange(box))
  return element('label.choice', box, element('span', name))
}

function choiceField(parameter, values, value) {
  /** in the order in which they were chosen: orderings depend on it */
  const chosen = new Set(value === '' ? [] : value.split(','))
  const several = schemaView(valueSchema(parameter.schema)).types[0] === 'array'
  const count = element('span.chosen')
  const show = () => (count.textContent = [...chosen].join(', ') || `any of ${plural(values.length, 'value')}`)
  const choose = (box) => {
    if (!several) {
      chosen.clear()
      for (const other of node.querySelectorAll('input')) other.checked &&= other === box
    }
    if (box.checked) chosen.add(box.value)
    else chosen.delete(box.value)
    show()
  }
  const list = () =>
    element(
      'div.choices',
      { role: 'group', 'aria-label': parameter.name },
      values.map((name) => choiceBox(name, chosen.has(name), choose)),
    )
  const node = fold([element('span.hidden-text', `${parameter.name}: `), count], list, { className: 'select' })
  show()
  return { node, read: () => [...chosen].join(',') }
}

function inputField(parameter, value) {
  const { types, default: standard } = schemaView(valueSchema(parameter.schema))
  const hints = { integer: String(standard ?? ''), array: 'one, or several: a,b' }
  const input = element('input', {
    id: `field-${parameter.name}`,
    type: 'text',
    value,
    placeholder: hints[types[0]] ?? '',
    inputmode: types[0] === 'integer' ? 'numeric' : undefined,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-required': parameter.required ? 'true' : undefined,
    'aria-describedby': `about-${parameter.name}`,
  })
  return { node: input, input, read: () => input.value.trim() }
}

function controlOf(parameter, examples) {
  if (parameter.in === 'path' && parameter.name === 'connectionId') {
    const field = inputField(parameter, '')
    holdConnection(field.input, session.left)
    return field
  }
  const value = examples.get(parameter.name) ?? (parameter.in === 'path' ? String(parameter.example ?? '') : '')
  const { values } = listingView(parameter.schema)
  return values ? choiceField(parameter, values, value) : inputField(parameter, value)
}

/** a list that holds one item at most is shown as that item */
export function parameterField(parameter, examples) {
  const control = controlOf(parameter, examples)
  const { name, required, description: about = '' } = parameter
  const title = element('span.field-name', code(name))
  const node = element(
    'div.parameter',
    element(
      'div.meaning',
      control.input ? element('label', { for: control.input.id }, title) : title,
      element('span.type', typeText(valueSchema(parameter.schema))),
      required ? element('span.required', 'required') : null,
      element('p.about', { id: `about-${name}` }, prose(about)),
    ),
    control.node,
  )
  return { ...control, parameter, node }
}
