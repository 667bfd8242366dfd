// A request as a line of curl, with a button that copies it. The key is named in the line, never written into it.
import { needsKey } from './description.js'
import { button, element } from './element.js'

export const curlOf = (operation, target) =>
  `curl '${location.origin}${target}'${needsKey(operation) ? ' -H "Authorization: Bearer $VITRINE_KEY"' : ''}`

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

function copyButton(source) {
  const node = button('Copy', { class: 'quiet copy', 'aria-live': 'polite' }, async () => {
    node.textContent = await copy(source)
    setTimeout(() => (node.textContent = 'Copy'), 1800)
  })
  return node
}

/** the line is a node, so that its owner can rewrite it */
export const curlBox = (line) =>
  element(
    'div',
    { class: 'curl' },
    element('pre', { tabindex: '0', 'aria-label': 'With curl' }, line),
    copyButton(line),
  )
