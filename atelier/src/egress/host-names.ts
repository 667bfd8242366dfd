// Names of hosts, and patterns of them: `api.example.com`, `*.example.com` for every name below it, and for operators `*`.
const label = '(?!-)[a-z0-9-]{1,63}(?<!-)'
const nameForm = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`)
/** what a program could read as an address: 10.1, 0x7f.1, 2130706433 */
const numberForm = /^(?:\d+|0x[0-9a-f]*)$/

/** in small letters; undefined: it is none, such as an address */
export function readHostName(text: string): string | undefined {
  const name = text.toLowerCase()
  return nameForm.test(name) && !numberForm.test(name.slice(name.lastIndexOf('.') + 1)) ? name : undefined
}

/** in small letters; undefined: it is none. Below a star stand two labels at least. */
export function readHostPattern(text: string): string | undefined {
  if (!text.startsWith('*.')) return readHostName(text)
  const name = readHostName(text.slice(2))
  return name?.includes('.') ? `*.${name}` : undefined
}

const matchesOne = (pattern: string, host: string): boolean =>
  pattern === '*' || pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)))

export const matchesAny = (patterns: readonly string[], host: string): boolean =>
  patterns.some((pattern) => matchesOne(pattern, host))

/** whether every host of `pattern` is one of `patterns` */
export const isWithin = (patterns: readonly string[], pattern: string): boolean =>
  matchesAny(patterns, pattern.replace(/^\*/, ''))
