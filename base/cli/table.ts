// The table of the command line: columns for many rows, pairs for one. It measures text in columns of the terminal and says what
// it left out.
import { printable } from '../core/printable.ts'
import type { Paint } from './terminal.ts'
import { cutTo, padTo, widthOf } from './text-width.ts'

export type Cell = string | number | boolean | null

export interface Column {
  readonly name: string
  /** never cut or left out: an id to copy */
  readonly whole?: boolean
  /** never cut, but left out where there is no room */
  readonly uncut?: boolean
}

const isUncut = (column: Column | undefined): boolean => column?.whole === true || column?.uncut === true

export interface Drawn {
  readonly text: string
  readonly cut: boolean
  readonly left: readonly string[]
}

export interface Drawing {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  readonly width?: number
  readonly least?: number
  readonly paint?: Paint
}

const showCell = (cell: Cell): string =>
  cell === null
    ? '–'
    : printable(
        String(cell)
          .replaceAll(/\r\n|[\n\r\u2028\u2029]/g, '↵')
          .replaceAll('\t', ' '),
      )

const gap = 2
const standardLeast = 20
const plainly: Paint = (_style, text) => text

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

function countThatFit(columns: readonly Column[], natural: readonly number[], width: number, least: number): number {
  let used = -gap
  let count = 0
  for (const [i, wanted] of natural.entries()) {
    used += gap + (isUncut(columns[i]) ? wanted : Math.min(wanted, least))
    if (used > width && count > 0 && !columns[i]?.whole) break
    count++
  }
  return count
}

function widthsFor(columns: readonly Column[], natural: readonly number[], width: number, least: number): number[] {
  const room = width - gap * (natural.length - 1)
  let widths = [...natural]
  for (let most = Math.max(...natural); sum(widths) > room && most > least; most--)
    widths = natural.map((wanted, i) => (isUncut(columns[i]) ? wanted : Math.min(wanted, most)))
  return widths
}

export function drawTable(drawing: Drawing): Drawn {
  const { columns, rows, width = Number.POSITIVE_INFINITY, least = standardLeast, paint = plainly } = drawing
  const heads = columns.map(({ name }) => printable(name))
  const cells = rows.map((row) => row.map(showCell))
  const natural = heads.map((head, i) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[i] ?? '')), widthOf(head)),
  )
  const count = countThatFit(columns, natural, width, least)
  const kept = natural.slice(0, count)
  const widths = width === Number.POSITIVE_INFINITY ? kept : widthsFor(columns, kept, width, least)
  const line = (row: readonly string[]) =>
    widths
      .map((to, i) => padTo(cutTo(row[i] ?? '', to), to))
      .join(' '.repeat(gap))
      .trimEnd()
  return {
    text: [paint('bold', line(heads)), ...cells.map(line)].join('\n'),
    cut: widths.some((to, i) => to < (kept[i] ?? 0)),
    left: heads.slice(count),
  }
}

export function drawPairs(pairs: readonly (readonly [string, Cell])[], width: number, paint: Paint = plainly): Drawn {
  const names = pairs.map(([name]) => printable(name))
  const wide = Math.max(0, ...names.map(widthOf))
  const room = Math.max(standardLeast, width - wide - gap)
  const shown = pairs.map(([, cell]) => showCell(cell))
  const lines = shown.map(
    (text, i) => `${paint('bold', padTo(names[i] ?? '', wide))}${' '.repeat(gap)}${cutTo(text, room)}`,
  )
  return { text: lines.join('\n'), cut: shown.some((text) => widthOf(text) > room), left: [] }
}
