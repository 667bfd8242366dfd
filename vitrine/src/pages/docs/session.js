// What all requests of the page share: the key, which lives here and nowhere else, the connection, and how they are written.
import { byId } from './element.js'

class Session extends EventTarget {
  key = ''
  connection = 'demo'
  sample = 'curl'

  change(values) {
    Object.assign(this, values)
    this.dispatchEvent(new Event('change'))
  }
}

export const session = new Session()

/** the connection is the same in every panel and at the top */
export function holdConnection(input) {
  input.value = session.connection
  input.addEventListener('input', () => session.change({ connection: input.value.trim() }))
  session.addEventListener('change', () => {
    if (document.activeElement !== input) input.value = session.connection
  })
}

/** the fields at the top of the page */
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
