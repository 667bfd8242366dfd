// What a command prints: a table for people at a terminal, JSON for programs behind a pipe.
import { printable, printableJson } from './printable.ts'
import { type Cell, drawTable } from './table.ts'
import { paintFor, redraws } from './terminal.ts'

export { printable } from './printable.ts'

/** `empty` is said to a person in place of a table without rows */
export function printRows(rows: readonly Record<string, Cell>[], json: unknown, empty: string) {
  if (!process.stdout.isTTY) return printJson(json)
  const names = Object.keys(rows[0] ?? {})
  const columns = names.map((name) => ({ name: name.toUpperCase() }))
  const cells = rows.map((row) => names.map((name) => row[name] ?? null))
  const table = rows.length > 0 && drawTable({ columns, rows: cells, paint: paintFor(process.stdout) }).text
  return void process.stdout.write(`${table || empty}\n`)
}

/** the one thing that must arrive: rejects where it could not be written */
export const printLine = (line: string): Promise<void> =>
  new Promise((ok, no) => process.stdout.write(`${line}\n`, (error) => (error ? no(error) : ok())))

export function printJson(value: unknown) {
  const text = `${JSON.stringify(value, null, 2)}\n`
  process.stdout.write(process.stdout.isTTY ? printableJson(text) : text)
}

/** for people, beside what the command puts out */
export const say = (line: string): void => void process.stderr.write(`${printable(line)}\n`)

/** at most so many signs of life a second on a terminal, and one in ten seconds in a log */
const tickMs = { terminal: 100, log: 10_000 }

/** how far something long has come, on standard error */
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
