// Keys and connections as a grid. Arrows, Page, Home and End move through it; the grid keeps the focus and names the active cell,
// so that the place is kept when a cell leaves the view.
import { useEffect, useId, useMemo } from 'preact/hooks'
import { useViewport, type Viewport } from '../../../../../base/console/parts/viewport.ts'
import { Cell, type CellPosition, ColumnHead, RowHead } from './cell.tsx'
import { type KeyRow, type Matrix, selection } from './matrix-data.ts'
import './matrix.css'

interface MatrixProps {
  readonly matrix: Matrix
  /** whether all keys and connections are loaded: until then rows move apart */
  readonly isWhole: boolean
  readonly onOpen: () => void
}

/** -1 is the head */
interface Spot {
  readonly row: number
  readonly column: number
}

interface Bounds extends Spot {
  readonly lastRow: number
  readonly lastColumn: number
  readonly page: number
}

/** as in matrix.css */
const cell = { height: 32, width: 48, margin: 4, least: 12 }

const steps: Readonly<Record<string, (from: Bounds, isFar: boolean) => Spot>> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column, page }) => ({ row: row + page, column }),
  PageUp: ({ row, column, page }) => ({ row: Math.max(0, row - page), column }),
  Home: ({ row }, isFar) => ({ row: isFar ? -1 : row, column: -1 }),
  End: ({ row, lastRow, lastColumn }, isFar) => ({ row: isFar ? lastRow : row, column: lastColumn }),
}

const limit = (at: number, last: number): number => Math.max(-1, Math.min(at, last))

/** where the selected cell is now: it may have been filtered away */
function spotOf({ rows, columns }: Matrix): Spot {
  const { key, connection } = selection.value
  return {
    row: key === undefined ? -1 : rows.findIndex((row) => row.key.id === key),
    column: connection === undefined ? -1 : columns.findIndex(({ id }) => id === connection),
  }
}

function useMoves({ matrix, isWhole, onOpen }: MatrixProps) {
  const { rows, columns } = matrix
  const { box, view, look, reveal } = useViewport({ rows: rows.length, columns: columns.length }, cell)
  const spot = spotOf(matrix)
  const show = ({ row, column }: Spot) => {
    const corner = box.current?.querySelector<HTMLElement>('.access-corner')
    if (corner) reveal(row, column, { height: corner.offsetHeight, width: corner.offsetWidth })
  }
  const moveTo = ({ row, column }: Spot) => {
    const to = { row: limit(row, rows.length - 1), column: limit(column, columns.length - 1) }
    selection.value = { key: rows[to.row]?.key.id, connection: columns[to.column]?.id }
    show(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / cell.height) - 5)
    const from = { ...spot, lastRow: rows.length - 1, lastColumn: columns.length - 1, page }
    const step = steps[event.key]
    if (event.altKey || event.shiftKey) return
    if (event.key === 'Enter') onOpen()
    else if (step) moveTo(step(from, event.ctrlKey || event.metaKey))
    else return
    event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const at = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')
    if (at) moveTo({ row: Number(at.dataset['row']), column: Number(at.dataset['column']) })
  }
  // what was selected elsewhere, or before
  useEffect(() => show(spot), [spot.row === -1, spot.column === -1, isWhole])
  return { box, view, look, spot, onKeyDown, onClick }
}

interface DrawnProps {
  readonly matrix: Matrix
  readonly view: Viewport
  readonly positionOf: (row: number, column: number) => CellPosition
}

function Head({ matrix: { columns }, view: { left, right }, positionOf }: DrawnProps) {
  const corner = positionOf(-1, -1)
  return (
    <div class="access-head" role="row" aria-rowindex={1}>
      <div
        id={corner.id}
        class={corner.isChosen ? 'access-corner chosen' : 'access-corner'}
        role="columnheader"
        aria-colindex={1}
        data-row={-1}
        data-column={-1}
      >
        <span class="soft">connections →</span>
        <span class="soft">keys ↓</span>
      </div>
      {columns.slice(left, right).map((column, i) => (
        <ColumnHead key={column.id} position={positionOf(-1, left + i)} column={column} />
      ))}
    </div>
  )
}

interface LineProps extends DrawnProps {
  readonly at: number
  readonly row: KeyRow
  /** the selected column, and whether the row is selected: what else its cells depend on */
  readonly lit: string
}

/** drawn again only where something in it has changed, which scrolling down does not */
function Line({ at, row, lit, matrix: { columns, known }, view: { left, right }, positionOf }: LineProps) {
  return useMemo(
    () => (
      <div class="access-row" role="row" aria-rowindex={at + 2} style={{ '--row': String(at) }}>
        <RowHead position={positionOf(at, -1)} row={row} known={known} />
        {columns.slice(left, right).map(({ id }, i) => (
          <Cell key={id} position={positionOf(at, left + i)} row={row} connection={id} />
        ))}
      </div>
    ),
    [at, row, lit, columns, known, left, right],
  )
}

/** a cell that is not drawn cannot be named */
const isDrawn = ({ row, column }: Spot, { top, bottom, left, right }: Viewport): boolean =>
  (row === -1 || (row >= top && row < bottom)) && (column === -1 || (column >= left && column < right))

export function MatrixGrid(props: MatrixProps) {
  const { matrix, onOpen } = props
  const { rows, columns } = matrix
  const gridId = useId()
  const { box, view, look, spot, onKeyDown, onClick } = useMoves(props)
  const positionOf = (row: number, column: number): CellPosition => ({
    id: `${gridId}-${row}-${column}`,
    row,
    column,
    isChosen: row === spot.row && column === spot.column,
    isLit: (row >= 0 && row === spot.row) || (column >= 0 && column === spot.column),
  })
  const drawn = { matrix, view, positionOf }
  const litAt = (row: number): string => `${spot.column} ${row === spot.row}`
  return (
    <div
      ref={box}
      class="access-matrix"
      role="grid"
      tabIndex={0}
      aria-label="Access by key and connection"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={isDrawn(spot, view) ? positionOf(spot.row, spot.column).id : undefined}
      style={{ '--rows': String(rows.length), '--columns': String(columns.length) }}
      onScroll={look}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDblClick={onOpen}
    >
      <div class="access-canvas" role="presentation">
        <Head {...drawn} />
        {rows.slice(view.top, view.bottom).map((row, i) => (
          <Line key={row.key.id} {...drawn} row={row} at={view.top + i} lit={litAt(view.top + i)} />
        ))}
      </div>
    </div>
  )
}
