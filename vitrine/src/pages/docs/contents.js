// The list of the operations beside the reference, and the search that narrows it.
import { addressOf } from './address.js'
import { byId, element } from './element.js'
import { plural, wordsOf } from './prose.js'

const contentsLink = (href, text, title) => element('li', element('a', { href, title }, text))

/** `start`: the names of the sections of the first page, by their addresses */
export function drawContents(start, groups) {
  byId('contents').replaceChildren(
    element(
      'ul.start',
      start.map(([href, name]) => contentsLink(href, name)),
    ),
    ...groups.map(({ tag, operations }) =>
      element(
        'section.group',
        { 'aria-label': wordsOf(tag) },
        element('h2', wordsOf(tag)),
        element(
          'ul',
          operations.map(({ operationId: id, summary }) => contentsLink(addressOf(id), wordsOf(id), summary)),
        ),
      ),
    ),
  )
}

const searchable = ({ operationId: id, path, summary = '' }) => `${id} ${path} ${summary} ${wordsOf(id)}`.toLowerCase()

/** hides what lacks one of the words, and gives how many links are left */
function narrow(words, links, texts) {
  for (const link of links)
    link.parentElement.hidden = !words.every((word) => texts.get(link.getAttribute('href')).includes(word))
  for (const group of byId('contents').querySelectorAll('.group'))
    group.hidden = group.querySelector('li:not([hidden])') === null
  byId('contents').querySelector('.start').hidden = words.length > 0
  return links.filter((link) => !link.parentElement.hidden)
}

export function watchSearch(operations) {
  const search = byId('search')
  const texts = new Map(operations.map((operation) => [addressOf(operation.operationId), searchable(operation)]))
  const links = [...byId('contents').querySelectorAll('.group a')]
  let left = links
  const find = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    left = narrow(words, links, texts)
    byId('found').textContent = `${words.length > 0 ? `${left.length} of ` : ''}${plural(links.length, 'operation')}`
  }
  search.addEventListener('input', find)
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') left[0]?.click()
    if (event.key !== 'Escape') return
    search.value = ''
    find()
  })
  find()
}

/** scrolls the contents only, never the page */
function keepInView(nav, link) {
  const box = nav.getBoundingClientRect()
  const { top, bottom } = link.getBoundingClientRect()
  if (top < box.top + 96) nav.scrollTop -= box.top + 96 - top
  else if (bottom > box.bottom - 24) nav.scrollTop += bottom - box.bottom + 24
}

export function markCurrent(href) {
  const nav = byId('nav')
  nav.querySelector('[aria-current]')?.removeAttribute('aria-current')
  const link = nav.querySelector(`a[href="${CSS.escape(href)}"]`)
  link?.setAttribute('aria-current', 'page')
  if (link) keepInView(nav, link)
}
