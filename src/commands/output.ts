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
