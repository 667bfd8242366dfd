// Parses the platform's JSON so that every number keeps its digits, and refuses text that is not worth parsing.
// JSON.parse alone would round 9007199254740993, turn 1e400 into null later on, and follow a million brackets.
import { malformed } from '../problem.ts'
import { limits } from './limits.ts'

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]
const [zero, nine, point, lowerE, upperE] = [0x30, 0x39, 0x2e, 0x65, 0x45]
const exactDigits = 15

/** the closing quote of the string that opens at `at`; a loop, because a native search for each short string costs more */
function endOfString(bytes: Uint8Array, at: number): number {
  for (let i = at + 1; i < bytes.length; i++) {
    if (bytes[i] === quote) return i
    if (bytes[i] === backslash) i++
  }
  throw malformed('a string in the JSON does not end')
}

/** One pass over the bytes: refuses deep nesting, and says whether some number needs its digits kept. */
function inspect(bytes: Uint8Array): { exact: boolean } {
  let [depth, digits, exact] = [0, 0, true]
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte >= zero && byte <= nine) {
      if (++digits > exactDigits) exact = false
      continue
    }
    if (byte === point) continue
    if (digits > 0 && (byte === lowerE || byte === upperE)) exact = false
    digits = 0
    if (byte === quote) i = endOfString(bytes, i)
    else if (byte === openList || byte === openObject) {
      if (++depth > limits.depth) throw malformed('the JSON is nested too deeply')
    } else if (byte === closeList || byte === closeObject) depth--
  }
  return { exact }
}

/** numbers whose digits JSON.parse would lose stay text; a member called __proto__ goes, for our callers' sake */
function revive(key: string, value: unknown, { source }: { source?: string }): unknown {
  if (key === '__proto__') return undefined
  if (typeof value !== 'number' || source === undefined) return value
  if (!Number.isFinite(value)) throw malformed('a number in the JSON is out of range')
  return JSON.stringify(value) === source ? value : JSON.rawJSON(source)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseExactly(bytes: Uint8Array): unknown {
  const { exact } = inspect(bytes)
  try {
    const text = utf8.decode(bytes)
    return exact && !text.includes('"__proto__"') ? JSON.parse(text) : JSON.parse(text, revive)
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof TypeError ? malformed('the body is not JSON') : error
  }
}
