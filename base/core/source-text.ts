// Writes values as source text: as words of a shell, and as strings and names of TypeScript.

const plainWord = /^[\w.,:@/+-]+$/

/** quoted as one word for a shell */
export const shellWord = (text: string): string =>
  plainWord.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

const unseen = /[\p{Cc}\u2028\u2029]/gu
const escaped = (one: string): string => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

export const literal = (value: string): string =>
  `'${value.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(unseen, escaped)}'`
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

/** an option with its value on a command line: a value that begins with `--` is read as the next option unless `=` joins it */
export const shellOption = (name: string, value: string): string =>
  `--${name}${value.startsWith('--') ? '=' : ' '}${shellWord(value)}`
