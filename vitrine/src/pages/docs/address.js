// The addresses of the reference: /docs for the first page, /docs/listApps for an operation. A link inside the page draws
// the other one in place, because the key lives in the memory of this document.

const top = '/docs'

export const addressOf = (id = '') => (id === '' ? top : `${top}/${encodeURIComponent(id)}`)

const isTop = () => location.pathname.replace(/\/$/, '') === top
/** not decoded: sections and operations have plain names, and decoding fails at a stray % */
const hash = () => location.hash.slice(1)

/** the operation that the address names; '' on the first page */
const idHere = () => (isTop() ? '' : location.pathname.slice(top.length + 1))

/** an operation was once a section of one long page: its old address leads to its page */
function leaveOldAddress(isOperation) {
  if (isTop() && isOperation(hash())) history.replaceState(null, '', addressOf(hash()))
}

/** whether the browser itself follows the link: into another tab, or away from the reference */
const isLeftToBrowser = (event, link) =>
  event.defaultPrevented ||
  event.button !== 0 ||
  event.ctrlKey ||
  event.metaKey ||
  event.shiftKey ||
  event.altKey ||
  link.origin !== location.origin ||
  !/^\/docs\/?$|^\/docs\/\w+$/.test(link.pathname) ||
  link.target !== '' ||
  (link.pathname === location.pathname && link.hash !== '')

/** `draw` is called with the id of an operation or '', and with the section to show */
export function watchAddress(isOperation, draw) {
  let shown
  const show = (isMove) => {
    leaveOldAddress(isOperation)
    const id = idHere()
    if (id !== shown || isMove) draw(id, hash(), isMove)
    shown = id
  }
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]')
    if (!link || isLeftToBrowser(event, link)) return
    event.preventDefault()
    if (link.href !== location.href) history.pushState(null, '', link.href)
    show(true)
  })
  addEventListener('popstate', () => show(false))
  show(false)
}
