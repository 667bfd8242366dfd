// CSV as RFC 4180 says, for spreadsheets that take more liberties than that.

/** how a cell begins that some spreadsheet would run as a formula, in their wide forms too */
const formula = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/u

export interface CsvOptions {
  /** text is left as it is, also where a spreadsheet would run it */
  readonly raw?: boolean
}

function textOf(value: unknown, raw: boolean): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return JSON.stringify(value)
  return !raw && formula.test(value) ? `'${value}` : value
}

function cellOf(value: unknown, raw: boolean): string {
  const text = textOf(value, raw)
  const isQuoted = value === '' || /[",\r\n]|^\s|\s$/.test(text)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = (values: readonly unknown[], { raw = false }: CsvOptions = {}): string =>
  `${values.map((value) => cellOf(value, raw)).join(',')}\r\n`
