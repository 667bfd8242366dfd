// JSON read without loss: numbers keep their digits, and members any name and their order.

export class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export class Members {
  readonly entries: readonly (readonly [string, ExactJson])[]
  /** made on first use: an object may have ten thousand members */
  #byName: ReadonlyMap<string, ExactJson> | undefined = undefined
  constructor(entries: readonly (readonly [string, ExactJson])[]) {
    this.entries = entries
  }

  get(name: string): ExactJson | undefined {
    return (this.#byName ??= new Map(this.entries.toReversed())).get(name)
  }
}

export type ExactJson = string | boolean | null | Digits | Members | readonly ExactJson[]

export const isList = (value: ExactJson | undefined): value is readonly ExactJson[] => Array.isArray(value)

/** strings are matched without recursion, whatever their length */
const token = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null/g
const words: Readonly<Record<string, boolean>> = { true: true, false: false }

function scalarOf(text: string): ExactJson {
  if (text.startsWith('"')) return JSON.parse(text) as string
  return words[text] ?? (text === 'null' ? null : new Digits(text))
}

type Next = () => string

function listFrom(next: Next): readonly ExactJson[] {
  const items: ExactJson[] = []
  for (let text = next(); text !== ']'; text = next()) if (text !== ',') items.push(valueFrom(text, next))
  return items
}

function membersFrom(next: Next): Members {
  const entries: (readonly [string, ExactJson])[] = []
  for (let text = next(); text !== '}'; text = next()) {
    if (text === ',') continue
    next()
    entries.push([JSON.parse(text) as string, valueFrom(next(), next)])
  }
  return new Members(entries)
}

function valueFrom(text: string, next: Next): ExactJson {
  if (text === '[') return listFrom(next)
  return text === '{' ? membersFrom(next) : scalarOf(text)
}

export function readJson(text: string): ExactJson {
  JSON.parse(text)
  const tokens = text.match(token) ?? []
  let at = 0
  const next = () => tokens[at++] ?? ''
  return valueFrom(next(), next)
}

const isEmpty = (value: Members | readonly ExactJson[]): boolean =>
  (value instanceof Members ? value.entries : value).length === 0

export function printJson(value: ExactJson, indent = '', depth = ''): string {
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

/** its beginning on one line; the rest is not looked at */
export function printBeginning(value: ExactJson, most: number): string {
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

/** lines drawn at once, and members of one object or list */
export const mostDrawn = 5_000
export const mostInside = 500

export const insideOf = (
  value: Members | readonly ExactJson[],
): readonly (readonly [string | undefined, ExactJson])[] =>
  value instanceof Members ? value.entries : value.map((one) => [undefined, one] as const)

export const isBranch = (value: ExactJson): value is Members | readonly ExactJson[] =>
  typeof value === 'object' && value !== null && !(value instanceof Digits) && !isEmpty(value)

/** the branches to expand where all are wanted: from the outside, as many as can be drawn at once */
export function expandable(value: ExactJson): { readonly branches: ReadonlySet<ExactJson>; readonly isAll: boolean } {
  const branches = new Set<ExactJson>()
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

/** how many lines it takes, counted up to `most` */
export function linesOf(value: ExactJson, most: number): number {
  if (typeof value !== 'object' || value === null || value instanceof Digits || isEmpty(value)) return 1
  let lines = 2
  for (const one of value instanceof Members ? value.entries.map(([, inside]) => inside) : value) {
    if (lines > most) break
    lines += linesOf(one, most - lines)
  }
  return lines
}
