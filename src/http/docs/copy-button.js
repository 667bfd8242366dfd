// A button that copies the text of an element, or marks it where the browser lends no clipboard.
import { button } from './element.js'

/** gives what there is to say about it */
async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.textContent)
    return 'Copied'
  } catch {
    // no clipboard on a page that came over plain HTTP
    getSelection().selectAllChildren(source)
    return 'Selected: now copy it'
  }
}

export function copyButton(source) {
  const node = button('Copy', { class: 'quiet copy', 'aria-live': 'polite' }, async () => {
    node.textContent = await copy(source)
    setTimeout(() => (node.textContent = 'Copy'), 1800)
  })
  return node
}
