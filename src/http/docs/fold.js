// A <details> whose inside is built when it is first opened: most of a long reference is never looked into.
import { element } from './element.js'

export function fold(summary, build, { open = false, className } = {}) {
  const node = element('details', { class: className }, element('summary', {}, summary))
  let built = false
  const fill = () => {
    if (!built) node.append(build())
    built = true
  }
  if (open) {
    fill()
    node.open = true
  }
  node.addEventListener('toggle', () => node.open && fill())
  return node
}
