// Prints the output of commands: tables on a terminal, otherwise JSON.
import { printable, printableJson } from '../core/printable.ts'
import { type Cell, drawTable } from './table.ts'
import { paintFor, redraws } from './terminal.ts'

export { printable } from '../core/printable.ts'

/** `isTable`: otherwise a table on a terminal alone */
export function printRows(
  rows: readonly Record<string, Cell>[],
  json: unknown,
  empty: string,
  isTable: boolean = process.stdout.isTTY,
) {
  if (!isTable) return printJson(json)
  const names = Object.keys(rows[0] ?? {})
  const columns = names.map((name) => ({ name: name.toUpperCase() }))
  const cells = rows.map((row) => names.map((name) => row[name] ?? null))
  const table = rows.length > 0 && drawTable({ columns, rows: cells, paint: paintFor(process.stdout) }).text
  return void process.stdout.write(`${table || empty}\n`)
}

export const printLine = (line: string): Promise<void> =>
  new Promise((ok, no) => process.stdout.write(`${line}\n`, (error) => (error ? no(error) : ok())))

export function printJson(value: unknown) {
  const text = `${JSON.stringify(value, null, 2)}\n`
  process.stdout.write(process.stdout.isTTY ? printableJson(text) : text)
}

export const say = (line: string): void => void process.stderr.write(`${printable(line)}\n`)

const tickMs = { terminal: 100, log: 10_000 }

export function startProgress(word: string): { show(done: number, of: number): void; readonly end: () => void } {
  const terminal = redraws(process.stderr)
  let shownMs = 0
  let shown = false
  return {
    show(done, of) {
      const nowMs = performance.now()
      if (nowMs - shownMs < (terminal ? tickMs.terminal : tickMs.log) && done < of) return
      shownMs = nowMs
      shown = true
      const share = of > 0 ? Math.floor((100 * done) / of) : 100
      process.stderr.write(
        `${terminal ? '\r' : ''}${done} of ${of} ${word} (${share} %)${terminal ? '\u001b[K' : '\n'}`,
      )
    },
    end() {
      if (terminal && shown) process.stderr.write('\n')
    },
  }
}
