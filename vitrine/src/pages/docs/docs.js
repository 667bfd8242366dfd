// The reference: draws what the description says, one page for each operation, and sends requests that a reader composes.
// It knows no route by itself. This is the entry; each part of the page is a module of its own.
import { addressOf, watchAddress } from './address.js'
import { drawContents, markCurrent, watchSearch } from './contents.js'
import { groupsOf, readDescription } from './description.js'
import { button, byId, element } from './element.js'
import { firstPage, partsOf, unknownPage } from './first-page.js'
import { operationPage } from './operation.js'
import { wordsOf } from './prose.js'
import { nameFields, session, watchSession } from './session.js'

function showMenu(open) {
  document.body.classList.toggle('menu-open', open)
  byId('menu').setAttribute('aria-expanded', String(open))
}

const isTyping = ({ target }) => target.closest?.('input, textarea, select, [contenteditable]') !== null

function watchMenu() {
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

/** the page of an id, with its title and its link in the contents */
function pageOf(id, description, groups, operations) {
  const at = operations.findIndex(({ operationId }) => operationId === id)
  if (id === '') return { page: firstPage(description, groups, operations), title: 'Reference' }
  if (at < 0) return { page: unknownPage(id, groups), title: 'Unknown operation' }
  const page = operationPage(operations[at], operations[at - 1], operations[at + 1])
  return { page, title: wordsOf(id) }
}

/** after a move the heading has the focus, so that a screen reader begins there */
function goTo(section, isMove) {
  const target = section === '' ? null : byId(section)
  const heading = (target ?? byId('main')).querySelector('h1, h2')
  if (target || isMove) heading?.focus({ preventScroll: true })
  if (target) target.scrollIntoView()
  else if (isMove) scrollTo(0, 0)
}

function draw(description) {
  const groups = groupsOf(description)
  const operations = groups.flatMap((group) => group.operations)
  const product = description.info?.title ?? ''
  byId('name').textContent = product.split(',')[0]
  byId('version').textContent = description.info?.version ?? ''
  nameFields(operations)
  drawContents(partsOf(description, operations), groups)
  watchSearch(operations)
  const isOperation = (id) => operations.some(({ operationId }) => operationId === id)
  watchAddress(isOperation, (id, section, isMove) => {
    session.leavePage()
    const { page, title } = pageOf(id, description, groups, operations)
    document.title = `${title} · ${product}`
    byId('main').replaceChildren(page)
    markCurrent(addressOf(id))
    goTo(section, isMove)
  })
}

const sayUnreadable = (reason) =>
  byId('main').replaceChildren(
    element(
      'div.state',
      { role: 'alert' },
      element('h1', 'The reference cannot be shown'),
      element('p', `The description of the operations could not be read: ${reason}.`),
      button('Try again', { class: 'send' }, () => void open()),
    ),
  )

async function open() {
  byId('main').replaceChildren(element('p.state', { role: 'status' }, 'Opening the description…'))
  try {
    draw(await readDescription())
  } catch (error) {
    sayUnreadable(error.message)
  }
}

watchSession()
watchMenu()
void open()
