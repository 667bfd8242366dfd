// The contents as a menu on narrow screens, and the key that leads to the search from anywhere.
import { byId } from './element.js'

function showMenu(open) {
  document.body.classList.toggle('menu-open', open)
  byId('menu').setAttribute('aria-expanded', String(open))
}

const isTyping = ({ target }) => target.closest?.('input, textarea, select, [contenteditable]') !== null

export function watchMenu() {
  const menu = byId('menu')
  const nav = byId('nav')
  menu.addEventListener('click', () => showMenu(!document.body.classList.contains('menu-open')))
  nav.addEventListener('click', (event) => event.target.closest('a') && showMenu(false))
  nav.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menu.offsetParent === null) return
    showMenu(false)
    menu.focus()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    event.preventDefault()
    showMenu(true)
    byId('search').focus()
  })
}
