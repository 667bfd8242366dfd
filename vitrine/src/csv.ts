// Writes CSV (RFC 4180) of which no spreadsheet runs a cell as a formula,
// not even one that splits at semicolons or tabs and ignores quotes.

/** the start of a formula, in wide forms too, and after characters that spreadsheets drop */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}]*[=+\-@\uff0b\uff0d\uff1d\uff20])/u
/** the same after a separator; some spreadsheets drop a quote that begins the next cell */
const formulaWithin = /([;\t\r\n|][\s\p{Cc}"]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/gu

interface CsvOptions<T> {
  /** keeps text that a spreadsheet would run */
  readonly raw?: boolean
  /** writes what is no text */
  readonly print?: (value: T) => string
}

/** numbers stay: -12.5 is not a formula */
function neutral<T>(value: T, print: (value: T) => string): string {
  if (typeof value !== 'string') return print(value).replaceAll(formulaWithin, "$1'")
  const within = value.replaceAll(formulaWithin, "$1'")
  return within !== value || formula.test(value) ? `'${within}` : value
}

function textOf<T>(value: T, { raw = false, print = JSON.stringify }: CsvOptions<T>): string {
  if (value === undefined || value === null) return ''
  if (!raw) return neutral(value, print)
  return typeof value === 'string' ? value : print(value)
}

function cellOf<T>(value: T, options: CsvOptions<T>): string {
  const text = textOf(value, options)
  const isQuoted = value === '' || /[",;|\t\r\n]|^\s|\s$/.test(text)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = <T>(values: readonly T[], options: CsvOptions<T> = {}): string =>
  `${values.map((value) => cellOf(value, options)).join(',')}\r\n`
