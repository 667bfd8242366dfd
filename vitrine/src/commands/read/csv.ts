// Writes CSV (RFC 4180) of which no spreadsheet runs a cell as a formula,
// not even one that splits at semicolons or tabs and ignores quotes.

/** the start of a formula, in wide forms too, and after characters that spreadsheets drop */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}]*[=+\-@\uff0b\uff0d\uff1d\uff20])/u
/** the same after a separator; some spreadsheets drop a quote that begins the next cell */
const formulaWithin = /([;\t\r\n|][\s\p{Cc}"]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/gu

/** numbers stay: -12.5 is not a formula */
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

/** `raw`: keeps text that a spreadsheet would run */
export const csvLine = (values: readonly unknown[], { raw = false }: { raw?: boolean } = {}): string =>
  `${values.map((value) => cellOf(value, raw)).join(',')}\r\n`
