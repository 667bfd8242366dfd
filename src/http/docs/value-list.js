// The values that a schema lists: beside their label where they are few, folded behind it where they are many.
import { code, element } from './element.js'
import { fold } from './fold.js'

const few = 8

export function valueList(values, label) {
  const list = () =>
    element(
      'span',
      { class: 'values' },
      values.flatMap((value) => [code(String(value)), ' ']),
    )
  if (values.length > few) return fold(`${label}: ${values.length}`, list, { className: 'known' })
  return element('div', { class: 'known' }, element('span', { class: 'tag' }, label), list())
}
