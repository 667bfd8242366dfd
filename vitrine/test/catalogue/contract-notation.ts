// The notation of the hand-typed contract: `name: string`, `state: OPEN | CLOSED`, `sizes: [integer]`,
// `icon: { width: integer, height: integer }`. White space and commas mean nothing.

export interface Tree {
  readonly kind: string
  readonly format?: string
  readonly values?: readonly string[]
  readonly by?: string
  readonly items?: Tree
  readonly properties?: Readonly<Record<string, Tree>>
  readonly picture?: true
  readonly of?: { readonly relation: string; readonly type: string; readonly name: string }
}

const named = new Map<string, Tree>([
  ['string', { kind: 'string' }],
  // text that people outside the account write
  ['words', { kind: 'string', by: 'end-user' }],
  ['uri', { kind: 'string', format: 'uri' }],
  ['date-time', { kind: 'string', format: 'date-time' }],
  ['date', { kind: 'string', format: 'date' }],
  ['integer', { kind: 'integer' }],
  ['int64', { kind: 'integer', format: 'int64' }],
  ['number', { kind: 'number' }],
  ['boolean', { kind: 'boolean' }],
])

const value = /^[A-Z][A-Z\d_]*$|^com\./

function take(tokens: string[], wanted: RegExp): string {
  const token = tokens.shift() ?? 'the end'
  if (!wanted.test(token)) throw new Error(`${wanted} expected, not ${token}, before: ${tokens.slice(0, 6).join(' ')}`)
  return token
}

function readType(tokens: string[]): Tree {
  const first = take(tokens, /^(?:[\w.-]+|[[{])$/)
  // an object with the address of a picture
  if (first === 'picture') return { ...readType(tokens), picture: true }
  if (first === '{') return { kind: 'object', properties: readFields(tokens, /^\}$/) }
  if (first === '[') {
    const items = readType(tokens)
    take(tokens, /^\]$/)
    return { kind: 'array', items }
  }
  // an attribute of a related resource: relationship, type, name there
  const [relation = '', related = '', name] = first.split('.')
  if (name !== undefined && relation !== 'com') return { ...readType(tokens), of: { relation, type: related, name } }
  const type = named.get(first)
  if (type) return type
  const values = [take([first], value)]
  while (tokens[0] === '|' && tokens.shift()) values.push(take(tokens, value))
  return { kind: 'string', values }
}

function readFields(tokens: string[], end: RegExp): Record<string, Tree> {
  const fields: Record<string, Tree> = {}
  while (!end.test(tokens[0] ?? 'the end')) {
    const name = take(tokens, /^\w+$/)
    if (Object.hasOwn(fields, name)) throw new Error(`${name} stands twice`)
    take(tokens, /^:$/)
    fields[name] = readType(tokens)
  }
  tokens.shift()
  return fields
}

export const parseFields = (text: string): Record<string, Tree> =>
  readFields(text.match(/[\w.-]+|[^\s,]/g) ?? [], /^the end$/)
