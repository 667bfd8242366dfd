// Parses the documents that exact-json.ts would not change, nearly all of them: no inexact number, nothing deep, no `__proto__`.
// It skips relationships of links alone, half of a page of apps, which nothing reads: 50 apps take 150 us instead of 300.
import { isAscii, isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { linksAlone } from '../../engine/links-alone.ts'
import type { PlainText } from '../../engine/port.ts'
import { limits } from './limits.ts'

const longest = 1024 * 1024
// The quote after the first comma is not escaped: it opens a name, or ends a string, and then the text is not JSON, neither with
// these links nor without them.
const byLinksAlone = new RegExp(linksAlone, 'g')
const charactersPerValue = 7

/** random, so that no document can contain it on purpose */
const mark = randomBytes(12).toString('base64url')
const marked = `,"relationships":"${mark}"`
const noRelationships = Object.freeze({})

// A number that may change when JavaScript writes it: -0, over fifteen digits, an exponent, a final zero after the point, or one
// so small that it gets an exponent. A match within a string only costs time.
const inexact = /[:,[]\s*-?(?:[\d.]{16}|\d[\d.]*[eE]|(?:(?<=-)0|\d+\.\d*0|0\.0{6}\d*)\s*[,\]}])/

function count(text: string, character: string, most: number): number {
  let found = 0
  for (let at = text.indexOf(character); at >= 0 && found <= most; at = text.indexOf(character, at + 1)) found++
  return found
}

/** whether there may be too many values: each but the first follows one of these characters */
function mayHaveTooMany(text: string, leftOut: number): boolean {
  let most = limits.values - leftOut / charactersPerValue
  // `[],[],` is the most that a text can hold
  if (text.length / 1.5 <= most) return false
  for (const character of ',{[') most -= count(text, character, most)
  return most < 0
}

function isTame(value: object, depth: number): boolean {
  if (depth > limits.depth) return false
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null && !isTame(item, depth + 1)) return false
    return true
  }
  for (const name in value) {
    if (name === '__proto__') return false
    const inner: unknown = (value as Record<string, unknown>)[name]
    if (typeof inner === 'object' && inner !== null && !isTame(inner, depth + 1)) return false
  }
  return true
}

const resourcesOf = (data: unknown): unknown[] => (Array.isArray(data) ? data : [data])

function restoreSkipped({ data, included }: { data?: unknown; included?: unknown }): number {
  let found = 0
  for (const resources of [resourcesOf(data), resourcesOf(included)])
    for (const resource of resources as ({ relationships?: unknown } | null | undefined)[])
      if (resource?.relationships === mark) {
        resource.relationships = noRelationships
        found++
      }
  return found
}

/** reused for every document: a new buffer each time would start a major collection every few pages */
const whole = Buffer.allocUnsafeSlow(longest)

function join(parts: readonly Buffer[]): Buffer | undefined {
  if (parts.length === 1) return parts[0]
  let length = 0
  for (const part of parts) {
    if (length + part.length > longest) return undefined
    length += part.copy(whole, length)
  }
  return whole.subarray(0, length)
}

/** where one resource ends and the next begins */
const seam = Buffer.from('}},{"type":"')
const comma = seam.indexOf(',')
/** V8 treats strings over 128 KiB as large objects, and promotes those that are alive when it collects */
const longestPiece = 96 * 1024

function inPieces(bytes: Buffer): string[] {
  const pieces: string[] = []
  let from = 0
  while (bytes.length - from > longestPiece) {
    const at = bytes.lastIndexOf(seam, from + longestPiece - seam.length)
    if (at < from) break
    pieces.push(bytes.toString('latin1', from, at + comma + 1))
    from = at + comma + 1
  }
  pieces.push(bytes.toString('latin1', from))
  return pieces
}

/** undefined: it is too long, or not UTF-8 */
export function readPlainText(parts: readonly Buffer[], isCut = false): PlainText | undefined {
  const bytes = join(parts)
  if (!bytes || bytes.length > longest) return undefined
  const ascii = isAscii(bytes)
  if (!ascii && !isUtf8(bytes)) return undefined
  return { pieces: isCut ? inPieces(bytes) : [bytes.toString('latin1')], isAscii: ascii }
}

export function parsePlain({ pieces, isAscii: ascii }: PlainText): object | undefined {
  const latin1 = pieces.join('')
  let [leftOut, cut] = [0, 0]
  const short = latin1.replace(byLinksAlone, (found) => {
    leftOut++
    cut += found.length
    return marked
  })
  if (inexact.test(short) || mayHaveTooMany(short, cut)) return undefined
  let document: unknown
  try {
    document = JSON.parse(ascii ? short : Buffer.from(short, 'latin1').toString())
  } catch {
    return undefined
  }
  if (typeof document !== 'object' || document === null || !isTame(document, 1)) return undefined
  return restoreSkipped(document) === leftOut ? document : undefined
}
