// Elements made in one call. Every text becomes a text node, never markup: descriptions and answers hold text of others.

export const byId = (id) => document.getElementById(id)

const isChild = (one) => typeof one !== 'object' || one === null || one instanceof Node || Array.isArray(one)

/** `name` may end with classes, as in `p.note`; attributes that are undefined or false, and children that are null or undefined, are left out */
export function element(name, ...rest) {
  const [tag, ...classes] = name.split('.')
  const [attributes, children] = isChild(rest[0]) ? [{}, rest] : [rest[0], rest.slice(1)]
  const node = document.createElement(tag)
  if (classes.length > 0) node.className = classes.join(' ')
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value)
  node.append(...children.flat(9).filter((child) => child !== null && child !== undefined))
  return node
}

export function button(text, attributes, onClick) {
  const node = element('button', { type: 'button', ...attributes }, text)
  node.addEventListener('click', onClick)
  return node
}

export const code = (text) => element('code', text)

/** a <details> whose content is built when it is first opened: most of a long reference is never looked into */
export function fold(summary, build, { open = false, className } = {}) {
  const node = element('details', { class: className }, element('summary', summary))
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

/** copies the text of an element, or selects it where the browser has no clipboard */
export function copyButton(source) {
  const node = button('Copy', { class: 'quiet copy', 'aria-live': 'polite' }, async () => {
    node.textContent = await copy(source)
    setTimeout(() => (node.textContent = 'Copy'), 1800)
  })
  return node
}
