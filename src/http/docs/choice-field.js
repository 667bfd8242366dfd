// The field of a parameter whose values are listed: one may be chosen, or several where it takes a list.
import { element } from './element.js'
import { fold } from './fold.js'
import { schemaView, valueSchema } from './schema-view.js'

function choiceBox(name, checked, onChange) {
  const box = element('input', { type: 'checkbox', value: name, checked })
  box.addEventListener('change', () => onChange(box))
  return element('label', { class: 'choice' }, box, element('span', {}, name))
}

export function choiceField(parameter, values, value) {
  /** in the order in which they were chosen: orderings depend on it */
  const chosen = new Set(value === '' ? [] : value.split(','))
  const several = schemaView(valueSchema(parameter.schema)).types[0] === 'array'
  const count = element('span', { class: 'chosen' })
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
      'div',
      { class: 'choices', role: 'group', 'aria-label': parameter.name },
      values.map((name) => choiceBox(name, chosen.has(name), choose)),
    )
  const node = fold([element('span', { class: 'label' }, parameter.name), count], list, { className: 'field select' })
  show()
  return { parameter, node, read: () => [...chosen].join(','), filled: chosen.size > 0 }
}
