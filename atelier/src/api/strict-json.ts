// JSON without ambiguity: one value in UTF-8, no member twice, no lone surrogates, at most 16 levels.
import { isJsonObject, type JsonObject } from '../../../base/core/json.ts'
import { Problem } from '../problems.ts'

const mostLevels = 16
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** an answerable body holds fewer: 20,000 files of three members each */
const mostValues = 100_000
/** V8 interns each different name, which costs a microsecond; no request has more than 128 variables, 100 build arguments and 32 labels */
const mostNames = 512
const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

const malformed = (reason: string): Problem =>
  new Problem('invalid_request', { message: `The body ${reason}.`, details: { field: '', reason } })

/** the place of the closing quote; the length of the text where there is none */
function endOfString(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text.charCodeAt(escapes - 1) === backslash) escapes--
    if ((at - escapes) % 2 === 0) return at
  }
  return text.length
}

function readString(text: string): string {
  const read = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
  if (!read.isWellFormed()) throw malformed('holds an unpaired surrogate')
  return read
}

class Structure {
  readonly #names: (Set<string> | undefined)[] = []
  readonly #allNames = new Set<string>()
  #values = 0

  open(isObject: boolean) {
    this.value()
    this.#names.push(isObject ? new Set() : undefined)
    if (this.#names.length > mostLevels) throw malformed(`is nested deeper than ${mostLevels} levels`)
  }

  close() {
    this.#names.pop()
  }

  value() {
    if (++this.#values > mostValues) throw malformed(`holds more than ${mostValues} values`)
  }

  member(name: string) {
    const known = this.#names.at(-1)
    if (known?.has(name)) throw malformed(`names the member ${JSON.stringify(name.slice(0, 64))} twice`)
    known?.add(name)
    if (this.#allNames.add(name).size > mostNames)
      throw malformed(`holds more than ${mostNames} different member names`)
  }
}

/** Before the parser: what is too deep or too much would cost it seconds. Text that is no JSON is left to the parser. */
function checkStructure(text: string) {
  const structure = new Structure()
  let last = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      const end = endOfString(text, i)
      last = readString(text.slice(i, end + 1))
      i = end
    } else if (code === openObject || code === openArray) structure.open(code === openObject)
    else if (code === closeObject || code === closeArray) structure.close()
    else if (code === comma) structure.value()
    else if (code === colon) structure.member(last)
  }
}

export function parseStrictJson(bytes: Uint8Array): JsonObject {
  let parsed: unknown
  try {
    const text = utf8.decode(bytes)
    checkStructure(text)
    parsed = JSON.parse(text)
  } catch (error) {
    throw error instanceof Problem ? error : malformed('is not JSON in UTF-8')
  }
  if (!isJsonObject(parsed)) throw malformed('is not a JSON object')
  return parsed
}

/** equal for equal JSON values, whatever the order of their members */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).toSorted()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join()}}`
}
