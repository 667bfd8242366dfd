// Parses the platform's JSON so that every number keeps its digits and its spelling, and refuses text that is not worth parsing.
// JSON.parse alone would round 9007199254740993, turn 1e400 into null later on, and follow a million brackets; with a
// reviver it would keep the digits, and hold everybody up for seconds over a document of millions of values.
import { randomBytes } from 'node:crypto'
import { malformed } from '../problem.ts'
import { limits } from './limits.ts'
import { parsePlain } from './plain-json.ts'

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]
const [space, zero, nine, point, comma, colon, plus, minus, lowerE, upperE] = [
  ...[0x20, 0x30, 0x39, 0x2e, 0x2c, 0x3a, 0x2b, 0x2d, 0x65, 0x45],
] as const
const exactDigits = 15
const numberForm = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

const notJson = () => malformed('the body is not JSON')

/** the closing quote of the string that opens at `at` */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    // an even number of backslashes is only itself
    if ((end - before) % 2 === 1) return end
  }
  throw malformed('a string in the JSON does not end')
}

/** of up to fifteen digits: those that JavaScript writes in another way, such as 0.10, -0 and 0.0000001 */
const spelledOtherwise = /\.\d*0$|^-?0(?:\.0{6}|$)/

/** behind the number that begins at `at`; negative where its digits or its spelling may be lost */
function endOfNumber(text: string, at: number): number {
  let digits = 0
  let exact = true
  let isPlain = text.charCodeAt(at) !== minus
  let i = at
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= zero && code <= nine) digits++
    else if (code === lowerE || code === upperE) exact = false
    else if (code === point) isPlain = false
    else if (code !== plus && code !== minus) break
  }
  if (!exact || digits > exactDigits) return -i
  return isPlain || !spelledOtherwise.test(text.slice(at, i)) ? i : -i
}

/** One pass over the text: refuses what is deep or countless, and finds the numbers that need their digits kept. */
function inspect(text: string): number[] {
  const inexact: number[] = []
  const { length } = text
  let depth = 0
  let values = 0
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = endOfString(text, i)
    else if (code === comma) values++
    else if (code === openList || code === openObject) {
      values++
      if (++depth > limits.depth) throw malformed('the JSON is nested too deeply')
    } else if (code === closeList || code === closeObject) depth--
    else if (code === minus || (code >= zero && code <= nine)) {
      const end = endOfNumber(text, i)
      if (end < 0) {
        inexact.push(i, -end)
        // a long one costs as much as several
        values += (-end - i) >> 4
      }
      i = Math.abs(end) - 1
    }
    if (values > limits.values) throw malformed('the JSON holds too many values')
  }
  return inexact
}

/** nobody who writes JSON for us knows it */
const mark = randomBytes(12).toString('base64url')

/** whether what ends there stands where only a name can */
function isName(text: string, end: number): boolean {
  let at = end
  while (at < text.length && text.charCodeAt(at) <= space) at++
  return text.charCodeAt(at) === colon
}

/** the same JSON with these numbers as marked strings; a string would be good as a name, and a number is not */
function withMarks(text: string, inexact: readonly number[]): string {
  const parts: string[] = []
  let from = 0
  for (let n = 0; n < inexact.length; n += 2) {
    const [start = 0, end = 0] = [inexact[n], inexact[n + 1]]
    if (isName(text, end)) throw notJson()
    parts.push(text.slice(from, start), '"', mark, text.slice(start, end), '"')
    from = end
  }
  parts.push(text.slice(from))
  return parts.join('')
}

function exactNumber(source: string): unknown {
  if (!numberForm.test(source)) throw notJson()
  const value = Number(source)
  if (!Number.isFinite(value)) throw malformed('a number in the JSON is out of range')
  return JSON.stringify(value) === source ? value : JSON.rawJSON(source)
}

/** Marked strings become numbers again, as text where digits would be lost; members called __proto__ go, for our callers' sake. */
function restore(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? exactNumber(value.slice(mark.length)) : value
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members)) {
    if (name === '__proto__') {
      delete members[name]
      continue
    }
    const restored = restore(members[name])
    if (restored !== members[name]) members[name] = restored
  }
  return members
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** the whole document, whatever it holds */
export function parseCarefully(bytes: Buffer): unknown {
  try {
    const text = utf8.decode(bytes)
    const inexact = inspect(text)
    const parsed: unknown = JSON.parse(inexact.length > 0 ? withMarks(text, inexact) : text)
    return inexact.length > 0 || text.includes('__proto__') || text.includes('\\u00') ? restore(parsed) : parsed
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof TypeError ? notJson() : error
  }
}

/** Without the links that nobody reads: of relationships that hold nothing else, and of their resources. */
export function parseExactly(given: Buffer | readonly Buffer[]): unknown {
  const parts = Buffer.isBuffer(given) ? [given] : given
  return parsePlain(parts) ?? parseCarefully(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
}
