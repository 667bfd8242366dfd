// An answer as it came: its status, the headers that say something, its body. Asking again is left to the try panel.
import { element } from './element.js'
import { jsonBox } from './json-box.js'
import { visible } from './prose.js'

const shownHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After']

function headerList(headers) {
  const present = shownHeaders.filter((name) => headers.has(name))
  return element(
    'dl',
    { class: 'headers' },
    present.flatMap((name) => [element('dt', {}, name), element('dd', {}, visible(headers.get(name)))]),
  )
}

export function answerStatus({ response, took }) {
  const line = `${response.status} ${response.statusText}`.trim()
  return [element('strong', { class: response.ok ? 'good' : 'bad' }, visible(line)), ` in ${took} ms`]
}

export const answerParts = ({ response, text }) => [
  headerList(response.headers),
  text === '' ? element('p', { class: 'note' }, 'The answer has no body.') : jsonBox(text, 'Answer'),
]

/** undefined where the answer is no page, or the last one */
export function nextCursorOf({ text }) {
  try {
    const cursor = JSON.parse(text)?.nextCursor
    return typeof cursor === 'string' ? cursor : undefined
  } catch {
    return undefined
  }
}
