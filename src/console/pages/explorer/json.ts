// JSON read without loss: a number keeps its digits, a name may be any name, and members keep their order. What is read is
// known to be JSON already.

/** a number, as it was written */
export class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** an object */
export class Members {
  readonly entries: readonly (readonly [string, Json])[]
  /** made when it is first looked into: an object may have ten thousand */
  #byName: ReadonlyMap<string, Json> | undefined = undefined
  constructor(entries: readonly (readonly [string, Json])[]) {
    this.entries = entries
  }

  /** undefined: it is not there */
  get(name: string): Json | undefined {
    return (this.#byName ??= new Map(this.entries.toReversed())).get(name)
  }
}

export type Json = string | boolean | null | Digits | Members | readonly Json[]

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** unrolled, so that a long string takes no stack */
const token = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null/g
const words: Readonly<Record<string, boolean>> = { true: true, false: false }

function scalarOf(text: string): Json {
  if (text.startsWith('"')) return JSON.parse(text) as string
  return words[text] ?? (text === 'null' ? null : new Digits(text))
}

/** gives each token once, from the first to the last */
type Next = () => string

function listFrom(next: Next): readonly Json[] {
  const items: Json[] = []
  for (let text = next(); text !== ']'; text = next()) if (text !== ',') items.push(valueFrom(text, next))
  return items
}

function membersFrom(next: Next): Members {
  const entries: (readonly [string, Json])[] = []
  for (let text = next(); text !== '}'; text = next()) {
    if (text === ',') continue
    next()
    entries.push([JSON.parse(text) as string, valueFrom(next(), next)])
  }
  return new Members(entries)
}

function valueFrom(text: string, next: Next): Json {
  if (text === '[') return listFrom(next)
  return text === '{' ? membersFrom(next) : scalarOf(text)
}

/** throws where it is no JSON at all */
export function readJson(text: string): Json {
  JSON.parse(text)
  const tokens = text.match(token) ?? []
  let at = 0
  const next = () => tokens[at++] ?? ''
  return valueFrom(next(), next)
}

const isEmpty = (value: Members | readonly Json[]): boolean =>
  (value instanceof Members ? value.entries : value).length === 0

/** as it may be copied; without an indent all of it stands on one line */
export function printJson(value: Json, indent = '', depth = ''): string {
  if (value instanceof Digits) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = value instanceof Members ? '{}' : '[]'
  if (isEmpty(value)) return `${open}${close}`
  const inner = depth + indent
  const [before, after] = indent === '' ? ['', ''] : [`\n${inner}`, `\n${depth}`]
  const parts =
    value instanceof Members
      ? value.entries.map(([name, one]) => `${JSON.stringify(name)}: ${printJson(one, indent, inner)}`)
      : value.map((one) => printJson(one, indent, inner))
  return `${open}${before}${parts.join(indent === '' ? ', ' : `,${before}`)}${after}${close}`
}

/** its beginning, on one line; what comes behind is not even looked at */
export function printBeginning(value: Json, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most))
  if (typeof value !== 'object' || value === null || value instanceof Digits || isEmpty(value)) return printJson(value)
  const isObject = value instanceof Members
  let text = isObject ? '{' : '['
  for (const [name, one] of isObject ? value.entries : value.entries()) {
    if (text.length >= most) return text.slice(0, most)
    const before = `${text.length > 1 ? ', ' : ''}${isObject ? `${JSON.stringify(String(name).slice(0, most))}: ` : ''}`
    text += before + printBeginning(one, most - text.length)
  }
  return `${text}${isObject ? '}' : ']'}`.slice(0, most)
}

/** so many lines are drawn in one go */
export const mostDrawn = 5_000
/** and so many of one object or list */
export const mostInside = 500

export const insideOf = (value: Members | readonly Json[]): readonly (readonly [string | undefined, Json])[] =>
  value instanceof Members ? value.entries : value.map((one) => [undefined, one] as const)

export const isBranch = (value: Json): value is Members | readonly Json[] =>
  typeof value === 'object' && value !== null && !(value instanceof Digits) && !isEmpty(value)

/** what is unfolded where all is wanted: from the outside, as far as can be drawn in one go */
export function unfoldable(value: Json): { readonly branches: ReadonlySet<Json>; readonly isAll: boolean } {
  const branches = new Set<Json>()
  const queue = [value].filter(isBranch)
  let lines = 0
  for (const one of queue) {
    const inside = insideOf(one)
    lines += Math.min(inside.length, mostInside) + 1
    if (lines > mostDrawn) return { branches, isAll: false }
    branches.add(one)
    for (const [, part] of inside.slice(0, mostInside)) if (isBranch(part)) queue.push(part)
  }
  return { branches, isAll: true }
}

/** how many lines it takes, counted no further than `most` */
export function linesOf(value: Json, most: number): number {
  if (typeof value !== 'object' || value === null || value instanceof Digits || isEmpty(value)) return 1
  let lines = 2
  for (const one of value instanceof Members ? value.entries.map(([, inside]) => inside) : value) {
    if (lines > most) break
    lines += linesOf(one, most - lines)
  }
  return lines
}
