// The panel in which a reader fills in an operation's parameters, sends the request, and sees what comes back.
import { needsKey, resolved } from './description.js'
import { button, element } from './element.js'
import { parameterField } from './parameter-field.js'
import { plural, visible } from './prose.js'
import { sampleBox } from './sample-box.js'
import { samplesOf } from './samples.js'
import { session } from './session.js'
import { jsonBox } from './json-box.js'

const encode = (text) => encodeURIComponent(text).replaceAll("'", '%27')

/** the path and query that the fields add up to, or what is wrong with them */
function targetOf({ path }, fields) {
  let target = path
  for (const { parameter, read } of fields.filter((field) => field.parameter.in === 'path')) {
    const value = read()
    if (value === '') return { fault: `Fill in ${parameter.name} first.`, target }
    // a browser would walk up the path with these, and take the key along
    if (value === '.' || value === '..') return { fault: `${parameter.name} cannot be “${value}”.`, target }
    target = target.replace(`{${parameter.name}}`, () => encode(value))
  }
  const query = fields
    .filter(({ parameter, read }) => parameter.in === 'query' && read() !== '')
    .map(({ parameter, read }) => `${encode(parameter.name)}=${encode(read()).replaceAll('%2C', ',')}`)
  return { target: query.length > 0 ? `${target}?${query.join('&')}` : target }
}

const lacksKey = (operation) => needsKey(operation) && session.key === ''

/** what a browser would refuse to put into a header */
const keyFault = (operation) =>
  needsKey(operation) && /[^\x21-\x7e]/.test(session.key)
    ? 'The key at the top holds a space or a sign that no key has.'
    : undefined

async function fetchAnswer(operation, target, signal) {
  const url = new URL(target, location.origin)
  if (url.origin !== location.origin) throw new Error('another origin')
  const started = performance.now()
  const response = await fetch(url, {
    headers: needsKey(operation) && session.key !== '' ? { Authorization: `Bearer ${session.key}` } : {},
    signal,
    cache: 'no-store',
    credentials: 'omit',
    mode: 'same-origin',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  })
  const text = await response.text()
  return { response, text, took: Math.round(performance.now() - started) }
}

const shownHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After']

function headerList(headers) {
  const present = shownHeaders.filter((name) => headers.has(name))
  return element(
    'dl.headers',
    present.flatMap((name) => [element('dt', name), element('dd', visible(headers.get(name)))]),
  )
}

function answerStatus({ response, took }) {
  const line = `${response.status} ${response.statusText}`.trim()
  return [element('strong', { class: response.ok ? 'good' : 'bad' }, visible(line)), ` in ${took} ms`]
}

const answerParts = ({ response, text }) => [
  headerList(response.headers),
  text === '' ? element('p.note', 'The answer has no body.') : jsonBox(text, 'Answer'),
]

/** undefined where the answer is no page, or the last one */
function nextCursorOf({ text }) {
  try {
    const cursor = JSON.parse(text)?.nextCursor
    return typeof cursor === 'string' ? cursor : undefined
  } catch {
    return undefined
  }
}

const noAnswer =
  'No answer. Either the service cannot be reached from here, or the connection broke before the answer was complete.'

/** nothing where there is no further page */
function nextButton(panel, answer) {
  const field = panel.fields.find(({ parameter }) => parameter.in === 'query' && parameter.name === 'cursor')
  const cursor = nextCursorOf(answer)
  if (field === undefined || cursor === undefined) return []
  const turn = () => {
    field.input.value = cursor
    panel.refresh()
    void send(panel)
  }
  return [button('Next page', { class: 'next' }, turn)]
}

function show({ status, result }, statusParts, resultParts = []) {
  status.replaceChildren(...statusParts)
  result.replaceChildren(...resultParts)
}

async function send(panel) {
  const { operation, fields, status, sendButton } = panel
  panel.flight?.abort()
  const { target, fault } = targetOf(operation, fields)
  const obstacle = keyFault(operation) ?? fault
  if (obstacle !== undefined) return show(panel, [obstacle])
  const flight = (panel.flight = new AbortController())
  status.textContent = 'Waiting for the answer…'
  sendButton.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetchAnswer(operation, target, flight.signal)
    show(panel, answerStatus(answer), [...answerParts(answer), ...nextButton(panel, answer)])
    status.scrollIntoView({ block: 'nearest' })
  } catch {
    if (!flight.signal.aborted) show(panel, [element('strong.bad', noAnswer)])
  } finally {
    if (panel.flight === flight) sendButton.removeAttribute('aria-busy')
  }
}

/** what an example or the path fills in stands in front, the rest behind a fold */
function fieldGroups(fields) {
  const first = fields.filter(({ parameter, filled }) => parameter.in === 'path' || filled)
  const rest = fields.filter((field) => !first.includes(field))
  const nodes = (some) => some.map(({ node }) => node)
  if (rest.length === 0) return nodes(first)
  const more = element(
    'details.more',
    element('summary', plural(rest.length, 'more parameter')),
    element('div.fields', nodes(rest)),
  )
  return [...nodes(first), more]
}

function panelOf(operation) {
  const examples = new URLSearchParams(operation['x-example']?.split('?')[1] ?? '')
  const fields = operation.parameters.map((parameter) => parameterField(resolved(parameter), examples))
  const samples = () => samplesOf(operation, targetOf(operation, fields).target, fields)
  const box = sampleBox(samples().map(({ name }) => name))
  const note = element('p.note')
  const refresh = () => {
    box.show(samples())
    note.textContent = lacksKey(operation) ? 'No key at the top yet: expect a 401.' : ''
  }
  return {
    operation,
    fields,
    box,
    note,
    refresh,
    sendButton: element('button', { type: 'submit', class: 'send' }, 'Send'),
    status: element('p.status', { role: 'status' }),
    result: element('div'),
  }
}

export function tryPanel(operation) {
  const panel = panelOf(operation)
  const { fields, box, note, refresh, sendButton, status, result } = panel
  const form = element(
    'form',
    { novalidate: true },
    element('div.fields', fieldGroups(fields)),
    box.node,
    element('div.actions', sendButton, note),
  )
  form.addEventListener('input', refresh)
  form.addEventListener('change', refresh)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(panel)
  })
  session.addEventListener('change', refresh)
  refresh()
  return element(
    'section.case.try',
    { 'aria-label': `Try ${operation.operationId}` },
    element('h4', 'Try it'),
    form,
    status,
    result,
  )
}
