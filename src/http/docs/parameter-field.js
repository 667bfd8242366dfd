// The field in which one parameter is filled in, and how its value is read back. What the values add up to is left to
// the request.
import { choiceField } from './choice-field.js'
import { element } from './element.js'
import { listingView, schemaView, valueSchema } from './schema-view.js'
import { holdConnection } from './session.js'

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
  const node = element('div', { class: 'field' }, element('label', { for: id }, parameter.name), input)
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
