// What a command prints: a table for people at a terminal, JSON for programs behind a pipe.

type Cell = string | number | null

/** without what a terminal would act on: names were typed by somebody */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}')

const show = (cell: Cell): string => (cell === null ? '–' : printable(String(cell)))

function tableOf(rows: readonly Record<string, Cell>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => show(row[name] ?? null))),
  ]
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `empty` is said to a person in place of a table without rows */
export function printRows(rows: readonly Record<string, Cell>[], json: unknown, empty: string) {
  if (process.stdout.isTTY) process.stdout.write(`${rows.length > 0 ? tableOf(rows) : empty}\n`)
  else printJson(json)
}

/** the one thing that must arrive: rejects where it could not be written */
export const printLine = (line: string): Promise<void> =>
  new Promise((ok, no) => process.stdout.write(`${line}\n`, (error) => (error ? no(error) : ok())))

export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

/** for people, beside what the command puts out */
export const say = (line: string): void => void process.stderr.write(`${printable(line)}\n`)

/** at most so many signs of life a second on a terminal, and one in ten seconds in a log */
const tickMs = { terminal: 100, log: 10_000 }

/** how far something long has come, on standard error */
export function startProgress(word: string): { show(done: number, of: number): void; readonly end: () => void } {
  const terminal = process.stderr.isTTY
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
