// A request to paste: with curl, on the command line, in TypeScript. For the reference and the console;
// `pages/docs/samples.js` writes the same in the browser, and a test compares both.
import { literal, propertyName, shellOption, shellWord } from '../../base/core/source-text.ts'

export type Value = string | number | readonly string[]
export type Values = Readonly<Record<string, Value>>

/** the default address of the public endpoint */
export const usualOrigin = 'http://127.0.0.1:8080'

const valueText = (value: Value): string =>
  Array.isArray(value)
    ? `[${value.map(literal).join(', ')}]`
    : typeof value === 'number'
      ? String(value)
      : literal(String(value))

export function argumentText(values: Values): string {
  const members = Object.entries(values).map(([name, value]) => `${propertyName(name)}: ${valueText(value)}`)
  return members.length === 0 ? '' : `{ ${members.join(', ')} }`
}

/** contains the variable of the key, never the key */
export const curlLine = (url: string): string =>
  `curl '${url.replaceAll("'", '%27')}' -H "Authorization: Bearer $VITRINE_KEY"`

/** a value that starts with -- is only accepted behind = */

interface Call {
  readonly operation: string
  readonly connection: string
  readonly values: Values
}

interface Way {
  readonly origin?: string
  readonly insecure?: boolean
}

export function commandLine({ operation, connection, values }: Call, { origin = usualOrigin, insecure }: Way = {}) {
  const where = [...(origin === usualOrigin ? [] : [`--url ${shellWord(origin)}`]), ...(insecure ? ['--insecure'] : [])]
  const options = Object.entries(values).map(([name, value]) => shellOption(name, String(value)))
  return ['vitrine read', operation, ...where, shellOption('connection', connection), ...options].join(' ')
}

export const callLine = ({ operation, values }: Omit<Call, 'connection'>, isList: boolean): string =>
  `const ${isList ? '{ items, nextCursor }' : 'answer'} = await vitrine.${operation}(${argumentText(values)})`

/** `key`: how the program reads its key */
export function clientLine(connection: string, key: string, { origin = usualOrigin, insecure }: Way = {}): string {
  const members = [`url: ${literal(origin)}`, key, `connection: ${literal(connection)}`]
  return `const vitrine = new Vitrine({ ${[...members, ...(insecure ? ['insecure: true'] : [])].join(', ')} })`
}
