// The refusals that an operation documents: the error codes of each status, with links to their pages.
import { resolved } from './description.js'
import { code, element } from './element.js'
import { fold } from './fold.js'
import { prose } from './prose.js'

const labelOf = (status) => (status === 'default' ? 'other' : status)

function row([status, response]) {
  const { description: about = '', content } = resolved(response)
  const examples = Object.entries(content?.['application/json']?.examples ?? {})
  const links = examples.map(([name, { summary: title }]) =>
    element('li', {}, element('a', { href: `/errors/${encodeURIComponent(name)}`, title }, code(name))),
  )
  return [
    element('dt', {}, labelOf(status)),
    element('dd', {}, links.length > 0 ? element('ul', { class: 'codes' }, links) : prose(about)),
  ]
}

/** null where nothing is refused */
export function refusalList({ responses }) {
  const refused = Object.entries(responses).filter(([status]) => !/^[23]/.test(status))
  if (refused.length === 0) return null
  return fold(`Codes by status: ${refused.map(([status]) => labelOf(status)).join(', ')}`, () =>
    element('dl', { class: 'refusals' }, refused.flatMap(row)),
  )
}
