// The panel in which a reader fills in an operation's parameters, sends the request, and sees what comes back.
import { answerParts, answerStatus, nextCursorOf } from './answer.js'
import { resolved } from './description.js'
import { button, element } from './element.js'
import { parameterField } from './parameter-field.js'
import { plural } from './prose.js'
import { fetchAnswer, keyFault, lacksKey, targetOf } from './request.js'
import { sampleBox } from './sample-box.js'
import { samplesOf } from './samples.js'
import { session } from './session.js'

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
    if (!flight.signal.aborted) show(panel, [element('strong', { class: 'bad' }, noAnswer)])
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
    'details',
    { class: 'more' },
    element('summary', {}, plural(rest.length, 'more parameter')),
    element('div', { class: 'fields' }, nodes(rest)),
  )
  return [...nodes(first), more]
}

function panelOf(operation) {
  const examples = new URLSearchParams(operation['x-example']?.split('?')[1] ?? '')
  const fields = operation.parameters.map((parameter) => parameterField(resolved(parameter), examples))
  const samples = () => samplesOf(operation, targetOf(operation, fields).target, fields)
  const box = sampleBox(samples().map(({ name }) => name))
  const note = element('p', { class: 'note' })
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
    status: element('p', { class: 'status', role: 'status' }),
    result: element('div'),
  }
}

export function tryPanel(operation) {
  const panel = panelOf(operation)
  const { fields, box, note, refresh, sendButton, status, result } = panel
  const form = element(
    'form',
    { novalidate: true },
    element('div', { class: 'fields' }, fieldGroups(fields)),
    box.node,
    element('div', { class: 'actions' }, sendButton, note),
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
    'section',
    { class: 'case try', 'aria-label': `Try ${operation.operationId}` },
    element('h4', {}, 'Try it'),
    form,
    status,
    result,
  )
}
