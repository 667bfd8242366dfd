// The rows that are shown, as a file: CSV for spreadsheets, or JSON as the API answers it. A part says that it is one.
import { csvLine } from '../../../csv.ts'
import { columnsOf } from './columns.ts'
import { type ExactJson, Members, printJson } from './exact-json.ts'
import type { Form } from './operation-form.ts'
import { itemsIn, nextCursorIn } from './read-answer.ts'
import { isWhole } from './row-count.ts'
import type { Run } from './workbench-state.ts'

export const exportFormats = { csv: 'CSV', json: 'JSON' } as const
export type ExportFormat = keyof typeof exportFormats

const types: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv;charset=utf-8', json: 'application/json' }

export const rowsIn = ({ pages }: Run): readonly Members[] => pages.flatMap((page) => itemsIn(page) ?? [])

/** without it, some spreadsheets do not read UTF-8 */
const byteOrderMark = '\uFEFF'

function csvOf(form: Form, rows: readonly Members[]): string {
  const names = columnsOf(form, rows).map(({ name }) => name)
  const lines = rows.map((row) =>
    csvLine<ExactJson | undefined>(
      names.map((name) => row.get(name)),
      { print: (value) => (value === undefined ? '' : printJson(value)) },
    ),
  )
  return `${byteOrderMark}${csvLine(names)}${lines.join('')}`
}

/** one page as it came, or all of them in the form of the last one */
function jsonOf({ pages }: Run, rows: readonly Members[]): string {
  const [only, last] = [pages.length === 1 ? pages[0] : undefined, pages.at(-1)]
  const whole = new Members([
    ['items', rows],
    ['nextCursor', (last && nextCursorIn(last)) ?? null],
  ])
  return `${printJson(only?.body ?? whole, '  ')}\n`
}

export function fileName(form: Form, run: Run, format: ExportFormat): string {
  const time = run.at.slice(0, 16).replaceAll(':', '')
  return `${form.operation}-${run.connection}-${time}${isWhole(form, run) ? '' : '-part'}.${format}`
}

export function exportText(form: Form, run: Run, format: ExportFormat): string {
  const rows = rowsIn(run)
  return format === 'csv' ? csvOf(form, rows) : jsonOf(run, rows)
}

export function saveFile(form: Form, run: Run, format: ExportFormat) {
  const url = URL.createObjectURL(new Blob([exportText(form, run, format)], { type: types[format] }))
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName(form, run, format) })
  link.click()
  // the browser reads it after the click
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
