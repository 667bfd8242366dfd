// Keys and connections as a grid. Arrows, Page, Home and End move through it; the grid keeps the focus and names the cell,
// so that nobody loses his place when a cell leaves the page.
import { useEffect, useId, useMemo } from 'preact/hooks'
import { Cell, ColumnHead, type Place, RowHead } from './cell.tsx'
import './matrix.css'
import { rowHeight, type Sight, useSight } from './sight.ts'
import { choice, type Matrix, type Row } from './view.ts'

interface MatrixProps {
  readonly matrix: Matrix
  /** whether all keys and connections are here: until then rows move apart */
  readonly isWhole: boolean
  /** Enter or a double click */
  readonly onOpen: () => void
}

interface Spot {
  readonly row: number
  readonly column: number
}

interface Ground extends Spot {
  readonly lastRow: number
  readonly lastColumn: number
  readonly page: number
}

/** -1 is the head */
const steps: Readonly<Record<string, (ground: Ground, isFar: boolean) => Spot>> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column, page }) => ({ row: row + page, column }),
  PageUp: ({ row, column, page }) => ({ row: Math.max(0, row - page), column }),
  Home: ({ row }, isFar) => ({ row: isFar ? -1 : row, column: -1 }),
  End: ({ row, lastRow, lastColumn }, isFar) => ({ row: isFar ? lastRow : row, column: lastColumn }),
}

const within = (at: number, last: number): number => Math.max(-1, Math.min(at, last))

/** where the chosen cell stands now: it may have been filtered away */
function spotOf({ rows, columns }: Matrix): Spot {
  const { key, connection } = choice.value
  return {
    row: key === undefined ? -1 : rows.findIndex((row) => row.key.id === key),
    column: connection === undefined ? -1 : columns.findIndex(({ id }) => id === connection),
  }
}

function useMoves({ matrix, isWhole, onOpen }: MatrixProps) {
  const { rows, columns } = matrix
  const { box, sight, look, reveal } = useSight({ rows: rows.length, columns: columns.length })
  const spot = spotOf(matrix)
  const moveTo = (row: number, column: number) => {
    const to = { row: within(row, rows.length - 1), column: within(column, columns.length - 1) }
    choice.value = { key: rows[to.row]?.key.id, connection: columns[to.column]?.id }
    reveal(to.row, to.column)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 5)
    const ground = { ...spot, lastRow: rows.length - 1, lastColumn: columns.length - 1, page }
    const step = steps[event.key]
    if (event.altKey || event.shiftKey) return
    if (event.key === 'Enter') onOpen()
    else if (step) {
      const to = step(ground, event.ctrlKey || event.metaKey)
      moveTo(to.row, to.column)
    } else return
    event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const at = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')
    if (at) moveTo(Number(at.dataset['row']), Number(at.dataset['column']))
  }
  // what was chosen elsewhere, or before
  useEffect(() => reveal(spot.row, spot.column), [spot.row === -1, spot.column === -1, isWhole])
  return { box, sight, look, spot, onKeyDown, onClick }
}

interface DrawnProps {
  readonly matrix: Matrix
  readonly sight: Sight
  readonly placeOf: (row: number, column: number) => Place
}

function Head({ matrix: { columns }, sight: { left, right }, placeOf }: DrawnProps) {
  const corner = placeOf(-1, -1)
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
        <ColumnHead key={column.id} place={placeOf(-1, left + i)} column={column} />
      ))}
    </div>
  )
}

interface LineProps extends DrawnProps {
  readonly at: number
  readonly row: Row
  /** the chosen column, and whether the row is chosen: what else the cells depend on */
  readonly lit: string
}

/** drawn anew only where something in it has changed, which scrolling down does not */
function Line({ at, row, lit, matrix: { columns, known }, sight: { left, right }, placeOf }: LineProps) {
  return useMemo(
    () => (
      <div class="access-row" role="row" aria-rowindex={at + 2} style={{ '--row': String(at) }}>
        <RowHead place={placeOf(at, -1)} row={row} known={known} />
        {columns.slice(left, right).map(({ id }, i) => (
          <Cell key={id} place={placeOf(at, left + i)} row={row} connection={id} />
        ))}
      </div>
    ),
    [at, row, lit, columns, known, left, right],
  )
}

function Rows({ spot, ...drawn }: DrawnProps & { readonly spot: Spot }) {
  const { top, bottom } = drawn.sight
  return (
    <>
      {drawn.matrix.rows.slice(top, bottom).map((row, i) => (
        <Line key={row.key.id} {...drawn} {...{ row, at: top + i, lit: `${spot.column} ${top + i === spot.row}` }} />
      ))}
    </>
  )
}

/** one that is not drawn cannot be named */
const isDrawn = ({ row, column }: Spot, { top, bottom, left, right }: Sight): boolean =>
  (row === -1 || (row >= top && row < bottom)) && (column === -1 || (column >= left && column < right))

export function MatrixGrid(props: MatrixProps) {
  const { matrix, onOpen } = props
  const { rows, columns } = matrix
  const id = useId()
  const { box, sight, look, spot, onKeyDown, onClick } = useMoves(props)
  const placeOf = (row: number, column: number): Place => ({
    ...{ id: `${id}-${row}-${column}`, row, column },
    isChosen: row === spot.row && column === spot.column,
    isLit: (row >= 0 && row === spot.row) || (column >= 0 && column === spot.column),
  })
  const drawn = { matrix, sight, placeOf }
  return (
    <div
      ref={box}
      class="access-matrix"
      role="grid"
      tabIndex={0}
      aria-label="Who may see what: keys and connections"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={isDrawn(spot, sight) ? placeOf(spot.row, spot.column).id : undefined}
      style={{ '--rows': String(rows.length), '--columns': String(columns.length) }}
      onScroll={look}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDblClick={onOpen}
    >
      <div class="access-canvas" role="presentation">
        <Head {...drawn} />
        <Rows {...drawn} spot={spot} />
      </div>
    </div>
  )
}
