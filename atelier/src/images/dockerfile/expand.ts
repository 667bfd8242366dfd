// Replaces variables in one word and removes its quotes, with the rules of Docker's builder.
// Only `$X`, `${X}`, `${X:-d}` and `${X:+a}` are known; Docker's undocumented forms are refused.
import { invalidDockerfile, type LinePlace } from './invalid.ts'

export type Lookup = (name: string) => string | undefined

const maxDepth = 32
/** of the values put into one instruction: doubling a variable line by line must not fill the memory */
const maxExpanded = 131_072
const letter = /[\p{L}\p{Nd}_]/u
const digit = /\p{Nd}/u
/** `$$`, `$1` and their like are shell parameters, which have no value in a build */
const specialParameters = '@*#?-$!'

export type Expand = (word: string) => string

/** for the words of one instruction */
export function expander(lookup: Lookup, place: LinePlace): Expand {
  let expanded = 0
  const valueOf = (name: string): string => {
    const value = lookup(name) ?? ''
    expanded += value.length
    if (expanded > maxExpanded) throw invalidDockerfile(place, 'the expanded text is larger than 128 KiB')
    return value
  }
  return (word) => new Expansion(word, valueOf, place).read(undefined)
}

class Expansion {
  private readonly text: string
  private readonly value: Expand
  private readonly place: LinePlace
  private at = 0
  private depth = 0

  constructor(text: string, value: Expand, place: LinePlace) {
    this.text = text
    this.value = value
    this.place = place
  }

  /** up to the end of the text, or to the character that closes a substitution */
  read(end: '}' | undefined): string {
    let result = ''
    while (this.at < this.text.length) {
      const char = this.text[this.at++]!
      if (char === end) return result
      if (char === '$') result += this.dollar()
      else if (char === "'") result += this.singleQuoted()
      else if (char === '"') result += this.doubleQuoted()
      else if (char === '\\') result += this.text[this.at++] ?? ''
      else result += char
    }
    if (end !== undefined) throw this.invalid('a substitution has no closing brace')
    return result
  }

  private singleQuoted(): string {
    const end = this.text.indexOf("'", this.at)
    if (end === -1) throw this.invalid('a single quote is not closed')
    const inside = this.text.slice(this.at, end)
    this.at = end + 1
    return inside
  }

  private doubleQuoted(): string {
    let result = ''
    while (this.at < this.text.length) {
      const char = this.text[this.at++]!
      if (char === '"') return result
      if (char === '$') result += this.dollar()
      else if (char === '\\') result += this.escapedInQuotes()
      else result += char
    }
    throw this.invalid('a double quote is not closed')
  }

  /** inside double quotes a backslash escapes `"`, `$` and itself, and is an ordinary character otherwise */
  private escapedInQuotes(): string {
    const next = this.text[this.at]
    if (next === undefined) return ''
    if (!'"$\\'.includes(next)) return '\\'
    this.at++
    return next
  }

  private dollar(): string {
    if (this.text[this.at] !== '{') {
      const name = this.name()
      return name === '' ? '$' : this.value(name)
    }
    this.at++
    const name = this.name()
    if (name === '') throw this.invalid('a substitution has no name')
    const modifier = this.text[this.at] === ':' ? this.text.slice(this.at, this.at + 2) : (this.text[this.at] ?? '')
    this.at += modifier.length
    if (modifier === '}') return this.value(name)
    if (modifier === '') throw this.invalid('a substitution has no closing brace')
    if (modifier !== ':-' && modifier !== ':+')
      throw this.invalid('only $X, ${X}, ${X:-default} and ${X:+alternative} are supported')
    const word = this.nested()
    const value = this.value(name)
    if (modifier === ':+') return value === '' ? '' : word
    return value === '' ? word : value
  }

  private nested(): string {
    if (++this.depth > maxDepth) throw this.invalid('substitutions are nested too deeply')
    const word = this.read('}')
    this.depth--
    return word
  }

  private name(): string {
    const first = this.text[this.at] ?? ''
    if (first !== '' && specialParameters.includes(first)) {
      this.at++
      return first
    }
    const allowed = digit.test(first) ? digit : letter
    const start = this.at
    while (this.at < this.text.length && allowed.test(this.text[this.at]!)) this.at++
    return this.text.slice(start, this.at)
  }

  private invalid(reason: string) {
    return invalidDockerfile(this.place, reason)
  }
}
