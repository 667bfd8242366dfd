// The quick way to parse a document, for those of which it is certain that exact-json.ts would do nothing to them: no
// number that loses digits or its spelling, nothing deep, no `__proto__`. That is nearly all of them. Nor does it parse what nobody reads:
// relationships that hold links alone, which are half of a page of apps. Of a page of 50 it makes 150 us out of 300; to
// parse it all takes JSON.parse 180.
import { isAscii, isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { limits } from './limits.ts'

/** longer ones are rare, and take their time anyway; what follows here is bounded by it */
const longest = 1024 * 1024

/** a string that is itself: no escapes, no controls, ASCII */
const plain = '"[!#-[\\]-~]*"'
const links = `\\{"\\w+":${plain}(?:,"\\w+":${plain})*\\}`
const relationship = `"\\w+":\\{"links":${links}\\}`
/**
 * Relationships by their links alone, and the links behind them. They begin with a comma, so the quote behind it is not
 * escaped: it opens a name, or ends a string, and then the text is no JSON with these links, nor without them.
 */
const byLinksAlone = new RegExp(
  `,"relationships":\\{${relationship}(?:,${relationship})*\\}(?:,"links":${links})?`,
  'g',
)
/** what one value of them takes at least: `,"a":""` */
const charactersPerValue = 7

/** nobody who writes JSON for us knows it */
const mark = randomBytes(12).toString('base64url')
const marked = `,"relationships":"${mark}"`
const noRelationships = Object.freeze({})

/**
 * Where a number can stand: -0, more than fifteen digits, an exponent, a last zero behind the point, or as small as JavaScript
 * writes with an exponent. Within a string it means care for nothing.
 */
const inexact = /[:,[]\s*-?(?:[\d.]{16}|\d[\d.]*[eE]|(?:(?<=-)0|\d+\.\d*0|0\.0{6}\d*)\s*[,\]}])/

/** occurrences, as long as they are not more than `most` */
function count(text: string, character: string, most: number): number {
  let found = 0
  for (let at = text.indexOf(character); at >= 0 && found <= most; at = text.indexOf(character, at + 1)) found++
  return found
}

/** each value but the first stands behind one of these; without counting: `[],[],` is the most that a text can hold */
function mayBeCountless(text: string, leftOut: number): boolean {
  let most = limits.values - leftOut / charactersPerValue
  if (text.length / 1.5 <= most) return false
  for (const character of ',{[') most -= count(text, character, most)
  return most < 0
}

/** whether nothing in there is deep or called __proto__ */
function isTame(value: object, depth: number): boolean {
  if (depth > limits.depth) return false
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null && !isTame(item, depth + 1)) return false
    return true
  }
  // for..in is the quickest walk there is: it collects neither names nor values
  for (const name in value) {
    if (name === '__proto__') return false
    const inner: unknown = (value as Record<string, unknown>)[name]
    if (typeof inner === 'object' && inner !== null && !isTame(inner, depth + 1)) return false
  }
  return true
}

const resourcesOf = (data: unknown): unknown[] => (Array.isArray(data) ? data : [data])

/** how many resources had their relationships left out */
function putBack({ data, included }: { data?: unknown; included?: unknown }): number {
  let found = 0
  for (const resources of [resourcesOf(data), resourcesOf(included)])
    for (const resource of resources as ({ relationships?: unknown } | null | undefined)[])
      if (resource?.relationships === mark) {
        resource.relationships = noRelationships
        found++
      }
  return found
}

/** where the parts of a document come together: a new buffer for each would call for the slow collector every few pages */
const whole = Buffer.allocUnsafeSlow(longest)

/** good until the next one is gathered; undefined where there is too much */
function gather(parts: readonly Buffer[]): Buffer | undefined {
  if (parts.length === 1) return parts[0]
  let length = 0
  for (const part of parts) {
    if (length + part.length > longest) return undefined
    length += part.copy(whole, length)
  }
  return whole.subarray(0, length)
}

/** undefined where it is not certain */
export function parsePlain(parts: readonly Buffer[]): object | undefined {
  const bytes = gather(parts)
  if (!bytes || bytes.length > longest) return undefined
  const ascii = isAscii(bytes)
  if (!ascii && !isUtf8(bytes)) return undefined
  let [leftOut, cut] = [0, 0]
  // byte by byte: all that is looked for is ASCII, and one foreign letter would make every search of a text twice as long
  const raw = bytes.toString('latin1')
  const short = raw.replace(byLinksAlone, (found) => {
    leftOut++
    cut += found.length
    return marked
  })
  if (inexact.test(short) || mayBeCountless(short, cut)) return undefined
  let document: unknown
  try {
    document = JSON.parse(ascii ? short : Buffer.from(short, 'latin1').toString())
  } catch {
    return undefined
  }
  if (typeof document !== 'object' || document === null || !isTame(document, 1)) return undefined
  // one that was found anywhere else, such as in an attribute, is somebody's value
  return putBack(document) === leftOut ? document : undefined
}
