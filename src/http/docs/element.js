// Elements made in one call. Every text becomes a text node, never markup: descriptions and answers hold the words of
// strangers. What an element is for, is left to the module that makes it.

export const byId = (id) => document.getElementById(id)

/** attributes that are undefined or false, and children that are null, are left out */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value)
  node.append(...children.flat().filter((child) => child !== null))
  return node
}

export function button(text, attributes, onClick) {
  const node = element('button', { type: 'button', ...attributes }, text)
  node.addEventListener('click', onClick)
  return node
}

export const code = (text) => element('code', {}, text)
