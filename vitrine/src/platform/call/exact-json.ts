// Parses the platform's JSON with every number's digits and spelling kept, and refuses what is too deep or has too many values.
// JSON.parse would round 9007199254740993 and turn 1e400 into null; with a reviver it would block the process for seconds.
import { randomBytes } from 'node:crypto'
import { attempt } from '../../../../base/core/attempt.ts'
import { type PageReader, TextDocument } from '../../engine/port.ts'
import { malformed } from '../../problems.ts'
import { limits } from './limits.ts'
import { parsePlain, readPlainText } from './plain-json.ts'

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]
const [space, zero, nine, point, comma, colon] = [0x20, 0x30, 0x39, 0x2e, 0x2c, 0x3a]
const [plus, minus, lowerE, upperE] = [0x2b, 0x2d, 0x65, 0x45]
const exactDigits = 15
const numberForm = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const notJson = () => malformed('the body is not JSON')

function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    // an even number of backslashes escapes itself only
    if ((end - before) % 2 === 1) return end
  }
  throw malformed('a string in the JSON does not end')
}

const spelledOtherwise = /\.\d*0$|^-?0(?:\.0{6}|$)/

/** the end of the number that begins at `at`; negative where its digits or spelling may be lost */
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

/** Refuses what is too deep or has too many values; returns start and end of each number whose digits must be kept. */
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
        values += (-end - i) >> 4
      }
      i = Math.abs(end) - 1
    }
    if (values > limits.values) throw malformed('the JSON holds too many values')
  }
  return inexact
}

/** random, so that no document can contain it on purpose */
const mark = randomBytes(12).toString('base64url')

/** whether a colon follows, so that a string there would be a name */
function isName(text: string, end: number): boolean {
  let at = end
  while (at < text.length && text.charCodeAt(at) <= space) at++
  return text.charCodeAt(at) === colon
}

function withMarks(text: string, inexact: readonly number[]): string {
  const parts: string[] = []
  let from = 0
  for (let n = 0; n < inexact.length; n += 2) {
    const [start = 0, end = 0] = [inexact[n], inexact[n + 1]]
    // a number as a name is not JSON, and would become valid as a string
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

/** Turns marked strings back into numbers, and drops members named __proto__, which could harm callers. */
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

/** Without a page for its reader, the document is parsed, without relationships that hold links alone. */
export function readDocument(parts: readonly Buffer[], reader?: PageReader): unknown {
  const text = readPlainText(parts, reader !== undefined)
  // a defect of the reader is no failure of the platform, and what is wrong with the document is found again
  const page = text && attempt(() => reader?.(text, parseText))
  if (reader && page && page.values <= limits.values)
    return new TextDocument(page, reader, () => parseText(text.pieces.join('')))
  return (text && parsePlain(text)) ?? parseCarefully(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
}

const parseText = (latin1: string): unknown => readDocument([Buffer.from(latin1, 'latin1')])

export const parseExactly = (bytes: Buffer): unknown => readDocument([bytes])
