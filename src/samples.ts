// A request as it is pasted: with curl, at the command line, in TypeScript. The reference and the console write theirs here;
// src/http/docs/samples.js, which no build reaches, writes the same in the browser, and a test holds it to this.

/** a list where several may stand */
export type Value = string | number | readonly string[]
export type Values = Readonly<Record<string, Value>>

/** where the public door is unless somebody says otherwise */
export const usualOrigin = 'http://127.0.0.1:8080'

const plainWord = /^[\w.,:@/+-]+$/

/** a text as one word of a shell's line */
export const shellWord = (text: string): string =>
  plainWord.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

const unseen = /[\p{Cc}\u2028\u2029]/gu
const escaped = (one: string): string => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** a text as a literal of TypeScript, on one line whatever it holds */
export const literal = (value: string): string =>
  `'${value.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(unseen, escaped)}'`
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

const valueText = (value: Value): string =>
  Array.isArray(value)
    ? `[${value.map(literal).join(', ')}]`
    : typeof value === 'number'
      ? String(value)
      : literal(String(value))

/** an object as it is typed into a call; nothing where it is empty */
export function argumentText(values: Values): string {
  const members = Object.entries(values).map(([name, value]) => `${propertyName(name)}: ${valueText(value)}`)
  return members.length === 0 ? '' : `{ ${members.join(', ')} }`
}

/** the key is named, and never written */
export const curlLine = (url: string): string =>
  `curl '${url.replaceAll("'", '%27')}' -H "Authorization: Bearer $VITRINE_KEY"`

/** a value that begins as an option does is taken in one word alone */
const option = (name: string, text: string): string => `--${name}${text.startsWith('--') ? '=' : ' '}${shellWord(text)}`

interface Call {
  readonly operation: string
  readonly connection: string
  /** by name, of the path and of the query */
  readonly values: Values
}

interface Way {
  readonly origin?: string
  /** over plain http to another machine */
  readonly insecure?: boolean
}

export function commandLine({ operation, connection, values }: Call, { origin = usualOrigin, insecure }: Way = {}) {
  const where = [...(origin === usualOrigin ? [] : [`--url ${shellWord(origin)}`]), ...(insecure ? ['--insecure'] : [])]
  const options = Object.entries(values).map(([name, value]) => option(name, String(value)))
  return ['vitrine read', operation, ...where, option('connection', connection), ...options].join(' ')
}

export const callLine = ({ operation, values }: Omit<Call, 'connection'>, isList: boolean): string =>
  `const ${isList ? '{ items, nextCursor }' : 'answer'} = await vitrine.${operation}(${argumentText(values)})`

/** `key`: how the program gets at it */
export function clientLine(connection: string, key: string, { origin = usualOrigin, insecure }: Way = {}): string {
  const members = [`url: ${literal(origin)}`, key, `connection: ${literal(connection)}`]
  return `const vitrine = new Vitrine({ ${[...members, ...(insecure ? ['insecure: true'] : [])].join(', ')} })`
}
