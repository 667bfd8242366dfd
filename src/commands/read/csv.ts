// CSV as RFC 4180 says, for spreadsheets that take more liberties than that. The only writer of CSV: no cell of it is run as a
// formula, also where a spreadsheet of another locale splits at a semicolon or a tab, and knows no quotes in the middle.

/** how a cell begins that some spreadsheet would run as a formula: in wide forms too, and behind characters that it drops */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}]*[=+\-@\uff0b\uff0d\uff1d\uff20])/u
/** the same behind what such a spreadsheet takes for the end of a cell or row. It drops a quote that begins the next one */
const formulaWithin = /([;\t\r\n|][\s\p{Cc}"]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/gu

export interface CsvOptions {
  /** text is left as it is, also where a spreadsheet would run it */
  readonly raw?: boolean
}

/** numbers are no text, and stay what they are: -12.5 is no formula */
function neutral(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value).replaceAll(formulaWithin, "$1'")
  const within = value.replaceAll(formulaWithin, "$1'")
  return within !== value || formula.test(value) ? `'${within}` : value
}

function textOf(value: unknown, raw: boolean): string {
  if (value === undefined || value === null) return ''
  if (!raw) return neutral(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function cellOf(value: unknown, raw: boolean): string {
  const text = textOf(value, raw)
  const isQuoted = value === '' || /[",;|\t\r\n]|^\s|\s$/.test(text)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = (values: readonly unknown[], { raw = false }: CsvOptions = {}): string =>
  `${values.map((value) => cellOf(value, raw)).join(',')}\r\n`
