// The field in which one parameter is filled in, and how its value is read back. What the values add up to is left to
// the request.
import { element, fold } from './element.js'
import { listingView, schemaView, valueSchema } from './schema-view.js'
import { holdConnection } from './session.js'

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
  const show = () => (count.textContent = [...chosen].join(', ') || 'any')
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
  const node = fold([element('span.label', parameter.name), count], list, { className: 'field select' })
  show()
  return { parameter, node, read: () => [...chosen].join(','), filled: chosen.size > 0 }
}

let last = 0

function inputField(parameter, value) {
  const id = `field-${(last += 1)}`
  const { types, default: standard } = schemaView(valueSchema(parameter.schema))
  const hints = { integer: String(standard ?? ''), array: 'one, or more with commas' }
  const input = element('input', {
    id,
    type: 'text',
    value,
    placeholder: hints[types[0]] ?? '',
    inputmode: types[0] === 'integer' ? 'numeric' : undefined,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-required': parameter.required ? 'true' : undefined,
  })
  const node = element('div.field', element('label', { for: id }, parameter.name), input)
  return { parameter, node, input, read: () => input.value.trim(), filled: value !== '' }
}

export function parameterField(parameter, examples) {
  if (parameter.in === 'path' && parameter.name === 'connectionId') {
    const field = inputField(parameter, '')
    holdConnection(field.input)
    return field
  }
  const value = examples.get(parameter.name) ?? (parameter.in === 'path' ? String(parameter.example ?? '') : '')
  const { values } = listingView(parameter.schema)
  return values ? choiceField(parameter, values, value) : inputField(parameter, value)
}
