// One operation of the reference: its head at once, its documentation and its try panel when somebody comes near.
import { answerOf, resolved } from './description.js'
import { code, element } from './element.js'
import { fieldTree } from './field-tree.js'
import { exampleBox } from './json-box.js'
import { parameterTable } from './parameter-table.js'
import { paragraphs } from './prose.js'
import { refusalList } from './refusal-list.js'
import { typeText } from './schema-view.js'
import { tryPanel } from './try-panel.js'

/** a path that may break behind its slashes, with its variables marked */
const pathParts = (path) =>
  path
    .split(/(\/|\{[^}]*\})/)
    .filter(Boolean)
    .flatMap((part) =>
      part === '/' ? [part, element('wbr')] : [part.startsWith('{') ? element('var', {}, part) : part],
    )

function stamp({ 'x-reviewed': reviewed }) {
  if (!reviewed) return null
  const { platformVersion, endpoint, date, hash } = reviewed
  return element(
    'p',
    { class: 'stamp' },
    `Reviewed against platform ${platformVersion} · `,
    code(endpoint),
    ' · ',
    element('time', { datetime: date }, date),
    hash ? [' · ', code(hash.slice(0, 12))] : null,
  )
}

/** its page for programs: those of the platform have one */
function twin({ operationId: id, 'x-reviewed': reviewed }) {
  if (!reviewed) return null
  const link = element('a', { href: `/docs/routes/${encodeURIComponent(id)}.md` }, 'Markdown')
  return element('p', { class: 'note' }, code(id), ' · ', link)
}

/** an unnamed object says enough by its fields */
function answerType(schema) {
  const text = typeText(schema)
  return text === 'object' ? null : element('p', { class: 'type' }, text)
}

function documentation(operation) {
  const { schema } = answerOf(operation)
  const parameters = operation.parameters.map(resolved)
  const refusals = refusalList(operation)
  const title = (text) => element('h4', {}, text)
  return element(
    'div',
    { class: 'documentation' },
    parameters.length > 0 ? [title('Parameters'), parameterTable(parameters)] : null,
    schema ? [title('Answer'), answerType(schema), fieldTree(schema)] : null,
    refusals ? [title('Refusals'), refusals] : null,
  )
}

function side(operation) {
  const { example } = answerOf(operation)
  const parts = example === undefined ? null : [element('h4', {}, 'Example answer'), exampleBox(example)]
  return element(
    'div',
    { class: 'side' },
    tryPanel(operation),
    parts && element('section', { class: 'case', 'aria-label': 'Example' }, ...parts),
  )
}

function fillBody(body, operation) {
  if (!body.classList.contains('waiting')) return
  const before = body.getBoundingClientRect()
  body.classList.remove('waiting')
  body.append(documentation(operation), side(operation))
  // what is being read stays where it is; the browsers' own anchoring is off, as they differ in it
  if (before.bottom < innerHeight / 2) scrollBy(0, body.getBoundingClientRect().height - before.height)
}

/** the section, and what builds its body */
export function drawOperation(operation) {
  const { operationId: id, summary = id, path, description: about } = operation
  const anchor = element('a', { class: 'anchor', href: `#${id}`, 'aria-label': `Link to ${id}` }, '#')
  const body = element('div', { class: 'body waiting' })
  const section = element(
    'section',
    { class: 'operation', id, 'aria-labelledby': `${id}-title` },
    element('h3', { id: `${id}-title`, tabindex: '-1' }, summary, ' ', anchor),
    element('p', { class: 'path' }, element('span', { class: 'method' }, 'GET'), element('code', {}, pathParts(path))),
    about ? element('div', { class: 'about' }, paragraphs(about)) : null,
    stamp(operation),
    twin(operation),
    body,
  )
  return { section, build: () => fillBody(body, operation) }
}
