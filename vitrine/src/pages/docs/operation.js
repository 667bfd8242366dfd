// The page of one operation: what it is and takes on the left, the request and its answer on the right.
import { addressOf } from './address.js'
import { aboutOf, answerOf, bodyOf, resolved } from './description.js'
import { code, element, fold } from './element.js'
import { fieldTree } from './field-tree.js'
import { paragraphs, prose, wordsOf } from './prose.js'
import { requestPanel } from './request-card.js'
import { typeText } from './schema-view.js'

const labelOf = (status) => (status === 'default' ? 'other' : status)

function refusalRow([status, response]) {
  const { description: about = '', content } = resolved(response)
  const examples = Object.entries(content?.['application/json']?.examples ?? {})
  const links = examples.map(([name, example]) =>
    element(
      'li',
      element('a', { href: `/errors/${encodeURIComponent(name)}`, title: resolved(example).summary }, code(name)),
    ),
  )
  return [element('dt', labelOf(status)), element('dd', links.length > 0 ? element('ul.codes', links) : prose(about))]
}

/** null where nothing is refused */
function refusalList({ responses }) {
  const refused = Object.entries(responses).filter(([status]) => !/^[23]/.test(status))
  if (refused.length === 0) return null
  return fold(`Codes by status: ${refused.map(([status]) => labelOf(status)).join(', ')}`, () =>
    element('dl.refusals', refused.flatMap(refusalRow)),
  )
}

/** a path that may break behind its slashes, with its variables marked */
const pathParts = (path) =>
  path
    .split(/(\/|\{[^}]*\})/)
    .filter(Boolean)
    .flatMap((part) => (part === '/' ? [part, element('wbr')] : [part.startsWith('{') ? element('var', part) : part]))

/** its review, and its page for programs: those of the platform have one */
function stamp({ operationId: id, 'x-reviewed': reviewed }) {
  if (!reviewed) return null
  const { platformVersion, endpoint, date, hash } = reviewed
  return element(
    'p.stamp',
    `Reviewed against platform ${platformVersion} · `,
    code(endpoint),
    ' · ',
    element('time', { datetime: date }, date),
    hash ? [' · ', code(hash.slice(0, 12))] : null,
    ' · ',
    element('a', { href: `/docs/routes/${encodeURIComponent(id)}.md` }, 'Markdown'),
  )
}

/** a summary that only repeats the heading is left out */
function aboutParts(operation) {
  const { operationId: id, summary } = operation
  const isRepeated = summary?.toLowerCase() === wordsOf(id).toLowerCase()
  const about = isRepeated ? (operation.description ?? '') : aboutOf(operation)
  return about === '' ? null : element('div.about', paragraphs(about))
}

const head = (operation) =>
  element(
    'header.head',
    element('p.eyebrow', wordsOf(operation.tag), ' · ', code(operation.operationId)),
    element('h1', { id: 'title', tabindex: '-1' }, wordsOf(operation.operationId)),
    element(
      'p.path',
      element(`span.method.${operation.method}`, operation.method.toUpperCase()),
      element('code', pathParts(operation.path)),
    ),
    aboutParts(operation),
    stamp(operation),
  )

/** an unnamed object says enough by its fields */
function schemaType(schema) {
  const text = typeText(schema)
  return text === 'object' ? null : element('p.type', text)
}

const part = (title, content) => (content ? [element('h2', title), content] : null)

function documentation(operation) {
  const [, { schema } = {}] = answerOf(operation) ?? []
  const body = bodyOf(operation)?.schema
  return element(
    'div.documentation',
    part('Fields of the body', body && [schemaType(body), fieldTree(body)]),
    part('Fields of the answer', schema && [schemaType(schema), fieldTree(schema)]),
    part('Refusals', refusalList(operation)),
  )
}

const pagerLink = (operation, rel, label) =>
  operation === undefined
    ? element('span')
    : element(
        'a',
        { href: addressOf(operation.operationId), rel },
        element('span.note', label),
        element('span.title', wordsOf(operation.operationId)),
      )

export function operationPage(operation, before, after) {
  const { fields, request, answer } = requestPanel(operation)
  return element(
    'article.operation',
    { 'aria-labelledby': 'title' },
    head(operation),
    element('div.asked', fields),
    element('div.side', request, answer),
    documentation(operation),
    element(
      'nav.pager',
      { 'aria-label': 'Previous and next operation' },
      pagerLink(before, 'prev', 'Previous'),
      pagerLink(after, 'next', 'Next'),
    ),
  )
}
