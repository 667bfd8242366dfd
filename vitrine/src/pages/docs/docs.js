// The reference page: draws what /openapi.json says, and sends requests that a reader composes. It knows no route by
// itself. This is the entry; each part of the page is a module of its own.
import { drawContents, watchSearch } from './contents.js'
import { groupsOf, readDescription } from './description.js'
import { button, byId, element } from './element.js'
import { introduction } from './introduction.js'
import { drawOperation } from './operation.js'
import { watchPlace } from './place.js'
import { paragraphs, wordsOf } from './prose.js'
import { watchSession } from './session.js'

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

const drawGroup = ({ tag, about, drawn }) =>
  element(
    'section.group',
    { 'aria-label': wordsOf(tag) },
    element('h2', wordsOf(tag)),
    about ? element('div.about', paragraphs(about)) : null,
    drawn.map(({ section }) => section),
  )

function draw(description) {
  const groups = groupsOf(description).map((group) => ({ ...group, drawn: group.operations.map(drawOperation) }))
  const operations = groups.flatMap((group) => group.operations)
  const intro = introduction(description, operations)
  byId('name').textContent = description.info?.title ?? ''
  byId('version').textContent = description.info?.version ?? ''
  byId('main').replaceChildren(...intro.map(({ section }) => section), ...groups.map(drawGroup))
  drawContents(intro, groups)
  watchSearch(operations)
  watchPlace(
    intro,
    groups.flatMap(({ drawn }) => drawn),
  )
}

const sayUnreadable = (reason) =>
  byId('main').replaceChildren(
    element(
      'div.state',
      { role: 'alert' },
      element('h1', 'The reference cannot be shown'),
      element('p', `The description at /openapi.json could not be read: ${reason}.`),
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
