// Boxes in which a body is shown: indented and coloured where it is JSON, as it came where it is not.
import { code, copyButton, element } from './element.js'
import { visible } from './prose.js'

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g

function kindOf(text, next) {
  if (text.startsWith('"')) return next === ':' ? 'key' : 'string'
  if (/^[-\d]/.test(text)) return 'number'
  return /^[tfn]/.test(text) ? 'literal' : ''
}

/** goes from token to token: going through numbers would change the long ones */
function* jsonTokens(json) {
  const all = json.match(token) ?? []
  let depth = 0
  for (const [i, text] of all.entries()) {
    const next = all[i + 1]
    const opens = text === '{' || text === '['
    const nextCloses = next === '}' || next === ']'
    if (opens) depth += 1
    if (nextCloses) depth -= 1
    yield { text: visible(text), kind: kindOf(text, next) }
    if (text === ':') yield { text: ' ', kind: '' }
    else if (next !== undefined && (opens ? !nextCloses : nextCloses || text === ','))
      yield { text: `\n${'  '.repeat(depth)}`, kind: '' }
  }
}

/** beyond this, colours cost more than they give */
const mostColoured = 300_000

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function shown(text) {
  if (!isJson(text)) return [visible(text)]
  const tokens = [...jsonTokens(text)]
  if (text.length > mostColoured) return [tokens.map((token) => token.text).join('')]
  return tokens.map((token) => (token.kind ? element('span', { class: token.kind }, token.text) : token.text))
}

export function jsonBox(text, label) {
  const inside = code('')
  inside.append(...shown(text))
  const box = element('pre.json', { tabindex: '0', role: 'region', 'aria-label': label }, inside)
  return element('div.copied', box, copyButton(inside))
}
