// The request of an operation beside its text: the lines to paste, Send, and what comes back. The answer stands where the
// example stood, so that both are in sight.
import { answerOf, bodyOf, needsKey, resolved, tokenName } from './description.js'
import { button, element } from './element.js'
import { exampleOf } from './example.js'
import { jsonBox } from './json-box.js'
import { parameterField } from './parameter-field.js'
import { visible, wordsOf } from './prose.js'
import { sampleBox } from './sample-box.js'
import { samplesOf } from './samples.js'
import { session } from './session.js'

/** as in the sheet */
const sideBySide = matchMedia('(min-width: 76rem)')

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

const keyWords = () => wordsOf(tokenName()).toLowerCase()

/** what a browser would refuse to put into a header */
const keyFault = (operation) =>
  needsKey(operation) && /[^\x21-\x7e]/.test(session.key)
    ? `The ${keyWords()} at the top holds a space or a character that none has.`
    : undefined

const headersOf = (operation, body) => ({
  ...(needsKey(operation) && session.key !== '' && { Authorization: `Bearer ${session.key}` }),
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
})

async function fetchAnswer(operation, target, body, signal) {
  const url = new URL(target, location.origin)
  if (url.origin !== location.origin) throw new Error('another origin')
  const started = performance.now()
  const response = await fetch(url, {
    method: operation.method.toUpperCase(),
    headers: headersOf(operation, body),
    body,
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
  if (present.length === 0) return null
  const rows = present.flatMap((name) => [element('dt', name), element('dd', visible(headers.get(name)))])
  return element('dl.headers', rows)
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

/** null where there is no further page */
function nextButton(panel, answer) {
  const field = panel.fields.find(({ parameter }) => parameter.in === 'query' && parameter.name === 'cursor')
  const cursor = nextCursorOf(answer)
  if (field === undefined || cursor === undefined) return null
  const turn = () => {
    field.input.value = cursor
    panel.refresh()
    void send(panel)
  }
  return button('Next page', { class: 'next' }, turn)
}

function show({ title, status, result }, statusParts, resultParts = []) {
  title.textContent = 'Answer'
  status.replaceChildren(...statusParts)
  result.replaceChildren(...resultParts.filter((part) => part !== null))
}

async function send(panel) {
  const { operation, fields, body, status, sendButton } = panel
  panel.flight?.abort()
  const { target, fault } = targetOf(operation, fields)
  const obstacle = keyFault(operation) ?? fault
  if (obstacle !== undefined) return show(panel, [obstacle])
  const flight = (panel.flight = new AbortController())
  status.textContent = 'Waiting for the answer…'
  sendButton.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetchAnswer(operation, target, body?.value, AbortSignal.any([flight.signal, session.left]))
    show(panel, answerStatus(answer), [...answerParts(answer), nextButton(panel, answer)])
    // where the answer is below the form, it is shown from its head
    status.scrollIntoView({ block: sideBySide.matches ? 'nearest' : 'start' })
  } catch {
    if (!flight.signal.aborted) show(panel, [element('strong.bad', noAnswer)])
  } finally {
    if (panel.flight === flight) sendButton.removeAttribute('aria-busy')
  }
}

/** undefined where the operation takes none */
function bodyField(operation) {
  const content = bodyOf(operation)
  if (content === undefined) return undefined
  const text = JSON.stringify(content.example ?? exampleOf(content.schema), null, 2)
  const rows = Math.min(14, text.split('\n').length)
  const field = element('textarea', { id: 'body', rows, spellcheck: 'false', autocomplete: 'off', wrap: 'off' })
  field.value = text
  return field
}

/** a stream has no end to wait for, and a redirect is followed by a browser only */
const obstacleTo = (operation) => {
  const [type] = answerOf(operation) ?? []
  if (type === 'text/event-stream') return 'The answer is a stream: use curl.'
  return type === undefined && '302' in operation.responses ? 'The answer leads a browser to the provider.' : undefined
}

function panelOf(operation) {
  const examples = new URLSearchParams(operation['x-example']?.split('?')[1] ?? '')
  const fields = operation.parameters.map((parameter) => parameterField(resolved(parameter), examples))
  const body = bodyField(operation)
  const samples = () => samplesOf(operation, targetOf(operation, fields).target, fields, body?.value)
  const box = sampleBox(samples().map(({ name }) => name))
  const note = element('p.note')
  const obstacle = obstacleTo(operation)
  const refresh = () => {
    box.show(samples())
    const lacksKey = needsKey(operation) && session.key === ''
    note.textContent = obstacle ?? (lacksKey ? `No ${keyWords()} at the top yet: expect a 401.` : '')
  }
  return {
    operation,
    fields,
    body,
    box,
    note,
    refresh,
    sendButton: element(
      'button',
      { type: 'submit', form: 'request', class: 'send', disabled: obstacle !== undefined },
      'Send',
    ),
    title: element('h2', 'Example answer'),
    status: element('p.status', { role: 'status' }),
    result: element('div.result'),
  }
}

function formOf({ fields, body }) {
  const nodes = fields.map(({ node }) => node)
  const parts = [
    nodes.length > 0 && [element('h2', 'Parameters'), element('div.parameters', nodes)],
    body && [element('h2', element('label', { for: 'body' }, 'Body')), body],
  ]
  return element('form', { id: 'request', novalidate: true }, ...parts.map((part) => part || null))
}

function watch(form, panel) {
  const { body, refresh } = panel
  form.addEventListener('input', refresh)
  form.addEventListener('change', refresh)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!panel.sendButton.disabled) void send(panel)
  })
  body?.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
  session.addEventListener('change', refresh, { signal: session.left })
  refresh()
}

/** the form of the parameters, the card of the request, and the card of its answer */
export function requestPanel(operation) {
  const panel = panelOf(operation)
  const { box, note, sendButton, title, status, result } = panel
  const form = formOf(panel)
  watch(form, panel)
  const [type, { example, schema } = {}] = answerOf(operation) ?? []
  const shown = example ?? (type === 'application/json' && schema ? exampleOf(schema) : undefined)
  if (shown === undefined) title.textContent = 'Answer'
  else result.append(jsonBox(JSON.stringify(shown), 'Example answer'))
  return {
    fields: form,
    request: element(
      'section.case.request',
      { 'aria-label': 'Request' },
      box.node,
      element('div.actions', sendButton, note),
    ),
    answer: element('section.case.answer', { 'aria-label': 'Answer' }, element('div.heading', title, status), result),
  }
}
