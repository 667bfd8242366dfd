// The list of the operations beside the reference, and the search that narrows it.
import { byId, element } from './element.js'
import { plural, wordsOf } from './prose.js'

const contentsLink = (id, text, title) => element('li', element('a', { href: `#${id}`, title }, text))

export function drawContents(intro, groups) {
  byId('contents').replaceChildren(
    element(
      'ul.start',
      intro.map(({ name, section }) => contentsLink(section.id, name)),
    ),
    ...groups.map(({ tag, operations }) =>
      element(
        'section.group',
        { 'aria-label': wordsOf(tag) },
        element('h2', wordsOf(tag)),
        element(
          'ul',
          operations.map(({ operationId: id, summary }) => contentsLink(id, wordsOf(id), summary)),
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
  const texts = new Map(operations.map((operation) => [`#${operation.operationId}`, searchable(operation)]))
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
