// A request as a reader composed it: its address, what keeps it from being sent, and sending it to this service only.
// Showing the answer is left to others.
import { needsKey } from './description.js'
import { session } from './session.js'

const encode = (text) => encodeURIComponent(text).replaceAll("'", '%27')

/** the path and query that the fields add up to, or what is wrong with them */
export function targetOf({ path }, fields) {
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

export const lacksKey = (operation) => needsKey(operation) && session.key === ''

/** what a browser would refuse to put into a header */
export const keyFault = (operation) =>
  needsKey(operation) && /[^\x21-\x7e]/.test(session.key)
    ? 'The key at the top holds a space or a sign that no key has.'
    : undefined

export async function fetchAnswer(operation, target, signal) {
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
