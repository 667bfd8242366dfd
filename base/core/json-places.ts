// Finds where something stands in a JSON text: its first fault, or the name and value at a path.
// For messages about files that people write: the text itself is never part of one.

export interface TextPlace {
  readonly line: number
  readonly column: number
}

export interface JsonPlaces {
  /** why it is not JSON; undefined: it is */
  readonly fault: (TextPlace & { readonly reason: string }) | undefined
  readonly nameAt: (path: readonly string[]) => TextPlace | undefined
  readonly valueAt: (path: readonly string[]) => TextPlace | undefined
}

const blank = /[ \t\r\n]*/y
const quoted = /"(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const bare = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

class JsonFault extends Error {}

const keyOf = (path: readonly string[]): string => JSON.stringify(path)

class Scanner {
  readonly names = new Map<string, number>()
  readonly values = new Map<string, number>()
  at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get #next(): string {
    return this.#text.charAt(this.at)
  }

  #stop(reason: string): never {
    throw new JsonFault(this.at < this.#text.length ? reason : `the text ends, and ${reason}`)
  }

  #take(form: RegExp, reason: string): string {
    form.lastIndex = this.at
    const [found] = form.exec(this.#text) ?? this.#stop(reason)
    this.at += found.length
    return found
  }

  #string(reason: string): string {
    const start = this.at
    const found = this.#take(quoted, reason)
    const control = found.split('').findIndex((char) => char < ' ')
    if (control < 0) return found
    const endsLine = /[\r\n]/.test(found.charAt(control))
    this.at = endsLine ? start : start + control
    return this.#stop(
      endsLine
        ? 'this string does not end on its line'
        : 'a control character such as a tab must be escaped, as in \\t',
    )
  }

  #skip() {
    this.#take(blank, '')
    if (/[/#]/.test(this.#next)) this.#stop('JSON has no comments')
  }

  document() {
    this.#value([])
    this.#skip()
    if (this.at < this.#text.length) this.#stop('the end of the text is expected here')
  }

  #value(path: readonly string[]) {
    this.#skip()
    this.values.set(keyOf(path), this.at)
    if (this.#next === '{') this.#entries('}', () => this.#member(path))
    else if (this.#next === '[') this.#entries(']', (index) => this.#value([...path, String(index)]))
    else if (this.#next === '"') this.#string('this string has no end, or a wrong escape')
    else this.#take(bare, 'a value is expected here: a string in double quotes, a number, true, false, null, { or [')
  }

  #member(path: readonly string[]) {
    const start = this.at
    const name = this.#string('a name in double quotes is expected here')
    const own = [...path, String(JSON.parse(name))]
    this.names.set(keyOf(own), start)
    this.#skip()
    this.#take(/:/y, 'a colon is expected here')
    this.#value(own)
  }

  #entries(close: '}' | ']', entry: (index: number) => void) {
    this.at++
    this.#skip()
    for (let index = 0; this.#next !== close; index++) {
      if (index > 0) {
        this.#take(/,/y, `a comma or ${close} is expected here`)
        this.#skip()
        if (this.#next === close) this.#stop('there is a comma after the last entry')
      }
      entry(index)
      this.#skip()
    }
    this.at++
  }
}

function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

export function findJsonPlaces(text: string): JsonPlaces {
  const scanner = new Scanner(text)
  const placeAt = (offset: number | undefined) => (offset === undefined ? undefined : placeOf(text, offset))
  let fault: JsonPlaces['fault']
  try {
    scanner.document()
  } catch (error) {
    // nested too deeply for the scanner: valid or not, it has no place
    if (error instanceof JsonFault) fault = { ...placeOf(text, scanner.at), reason: error.message }
  }
  return {
    fault,
    nameAt: (path) => placeAt(scanner.names.get(keyOf(path))),
    valueAt: (path) => placeAt(scanner.values.get(keyOf(path))),
  }
}
