// Valid JSON as tokens with their kinds and the white space that indents them. Colours are left to the style sheet.
import { visible } from './prose.js'

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g

function kindOf(text, next) {
  if (text.startsWith('"')) return next === ':' ? 'key' : 'string'
  if (/^[-\d]/.test(text)) return 'number'
  return /^[tfn]/.test(text) ? 'literal' : ''
}

/** goes from token to token: going through numbers would change the long ones */
export function* jsonTokens(json) {
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
