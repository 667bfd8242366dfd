// One operation of the reference: its head at once, its documentation and its try panel when somebody comes near.
import { answerOf, resolved } from './description.js'
import { code, element, fold } from './element.js'
import { fieldTree, valueList } from './field-tree.js'
import { exampleBox } from './json-box.js'
import { paragraphs, prose, wordsOf } from './prose.js'
import { listingView, schemaView, typeText, valueSchema } from './schema-view.js'
import { tryPanel } from './try-panel.js'

function parameterRow({ name, required, description: about = '', schema }) {
  const value = valueSchema(schema)
  const { default: standard } = schemaView(value)
  const { values } = listingView(value)
  return element(
    'tr',
    element('th', { scope: 'row' }, code(name), required ? element('span.required', 'required') : null),
    element('td.type', typeText(value)),
    element(
      'td',
      element('p', prose(about)),
      standard === undefined ? null : valueList([standard], 'Default'),
      values ? valueList(values, 'Allowed') : null,
    ),
  )
}

function parameterTable(parameters) {
  const head = ['Parameter', 'Type', 'Meaning'].map((title) => element('th', { scope: 'col' }, title))
  return element(
    'table.parameters',
    element('thead', element('tr', head)),
    element('tbody', parameters.map(parameterRow)),
  )
}

const labelOf = (status) => (status === 'default' ? 'other' : status)

function refusalRow([status, response]) {
  const { description: about = '', content } = resolved(response)
  const examples = Object.entries(content?.['application/json']?.examples ?? {})
  const links = examples.map(([name, { summary: title }]) =>
    element('li', element('a', { href: `/errors/${encodeURIComponent(name)}`, title }, code(name))),
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

function stamp({ 'x-reviewed': reviewed }) {
  if (!reviewed) return null
  const { platformVersion, endpoint, date, hash } = reviewed
  return element(
    'p.stamp',
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
  return element('p.note', code(id), ' · ', link)
}

/** an unnamed object says enough by its fields */
function answerType(schema) {
  const text = typeText(schema)
  return text === 'object' ? null : element('p.type', text)
}

function documentation(operation) {
  const { schema } = answerOf(operation)
  const parameters = operation.parameters.map(resolved)
  const refusals = refusalList(operation)
  const title = (text) => element('h4', text)
  return element(
    'div.documentation',
    parameters.length > 0 ? [title('Parameters'), parameterTable(parameters)] : null,
    schema ? [title('Answer'), answerType(schema), fieldTree(schema)] : null,
    refusals ? [title('Refusals'), refusals] : null,
  )
}

function side(operation) {
  const { example } = answerOf(operation)
  const parts = example === undefined ? null : [element('h4', 'Example answer'), exampleBox(example)]
  return element(
    'div.side',
    tryPanel(operation),
    parts && element('section.case', { 'aria-label': 'Example' }, ...parts),
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
  const { operationId: id, summary, path, description } = operation
  const about = [summary && `${summary}.`, description].filter(Boolean).join('\n\n')
  const anchor = element('a.anchor', { href: `#${id}`, 'aria-label': `Link to ${id}` }, '#')
  const body = element('div.body.waiting')
  const section = element(
    'section.operation',
    { id, 'aria-labelledby': `${id}-title` },
    element('h3', { id: `${id}-title`, tabindex: '-1' }, wordsOf(id), ' ', anchor),
    element('p.path', element('span.method', 'GET'), element('code', pathParts(path))),
    about ? element('div.about', paragraphs(about)) : null,
    stamp(operation),
    twin(operation),
    body,
  )
  return { section, build: () => fillBody(body, operation) }
}
