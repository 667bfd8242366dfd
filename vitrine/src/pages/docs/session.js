// What all requests of the page share: the key, which lives here and nowhere else, the connection, and how they are written.
import { resolved, tokenName } from './description.js'
import { byId } from './element.js'
import { wordsOf } from './prose.js'

class Session extends EventTarget {
  key = ''
  connection = 'demo'
  sample = 'curl'
  #page = new AbortController()

  change(values) {
    Object.assign(this, values)
    this.dispatchEvent(new Event('change'))
  }

  /** aborted when the reader goes to another page */
  get left() {
    return this.#page.signal
  }

  leavePage() {
    this.#page.abort()
    this.#page = new AbortController()
  }
}

export const session = new Session()

/** the connection is the same on every page and at the top */
export function holdConnection(input, signal) {
  const show = () => {
    if (document.activeElement !== input) input.value = session.connection
  }
  input.value = session.connection
  input.addEventListener('input', () => session.change({ connection: input.value.trim() }))
  session.addEventListener('change', show, { signal })
}

const hasConnections = (operations) =>
  operations.some(({ parameters }) => parameters.some((one) => resolved(one).name === 'connectionId'))

/** names the fields at the top as the description does */
export function nameFields(operations) {
  byId('key-label').textContent = wordsOf(tokenName())
  byId('key').placeholder = tokenName() === 'facadeKey' ? 'vtr_…' : ''
  byId('connection-field').hidden = !hasConnections(operations)
}

/** the fields at the top of the page; before the description is there, so that nothing typed by then is lost */
export function watchSession() {
  const key = byId('key')
  const show = byId('key-show')
  // a browser may bring back what stood here before a reload
  key.value = ''
  key.addEventListener('input', () => session.change({ key: key.value.trim() }))
  show.addEventListener('click', () => {
    const shown = key.type === 'password'
    key.type = shown ? 'text' : 'password'
    show.textContent = shown ? 'Hide' : 'Show'
    show.setAttribute('aria-pressed', String(shown))
  })
  holdConnection(byId('connection'))
}
