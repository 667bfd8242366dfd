// A table of any length: only the rows in sight are drawn. Rows are of one height; arrows, Page and Home/End move between
// them, Enter opens one.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Column, ColumnHead, type Order, sorted } from './column.tsx'

interface TableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  readonly onOpen?: (item: T) => void
  readonly isChosen?: (item: T) => boolean
  /** of the rows; where there is less room they scroll sideways */
  readonly least?: string | undefined
  /** how the rows are sorted until somebody sorts them otherwise */
  readonly first?: Order
}

const rowHeight = 40
/** rows beyond the edges, so that a quick scroll shows no gap */
const beyond = 8
/** drawn in any case: a listing that grows shows its rows at once, before anybody has looked how high it is */
const leastRows = 40

/** which rows are in sight */
function useSight(count: number) {
  const box = useRef<HTMLDivElement>(null)
  const sight = useSignal({ from: 0, to: leastRows })
  const look = () => {
    const one = box.current
    if (!one) return
    const from = Math.max(0, Math.floor(one.scrollTop / rowHeight) - beyond)
    const to = Math.max(from + leastRows, Math.ceil((one.scrollTop + one.clientHeight) / rowHeight) + beyond)
    const now = sight.peek()
    if (now.from !== from || now.to !== to) sight.value = { from, to }
  }
  useEffect(() => {
    look()
    const watch = new ResizeObserver(look)
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [count])
  const { from, to } = sight.value
  // what has just become shorter is not scrolled back yet: its end is drawn, and not nothing
  return { box, from: Math.min(from, Math.max(0, count - leastRows)), to, look }
}

const steps: Readonly<Record<string, (row: number, page: number, last: number) => number>> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row, page) => row + page,
  PageUp: (row, page) => row - page,
  Home: () => 0,
  End: (_row, _page, last) => last,
}

/** the row that has the place in the order of tabs, moved by keys */
function useRows<T>(rows: readonly T[], onOpen: ((item: T) => void) | undefined) {
  const active = useSignal(0)
  const { box, from, to, look } = useSight(rows.length)
  const last = rows.length - 1
  const focusRow = (row: number) => {
    const to = Math.max(0, Math.min(last, row))
    active.value = to
    const one = box.current
    if (!one) return
    // the head stands over the first row in sight
    const [top, bottom] = [to * rowHeight, (to + 2) * rowHeight - one.clientHeight]
    if (top < one.scrollTop) one.scrollTop = top
    else if (bottom > one.scrollTop) one.scrollTop = bottom
    look()
    requestAnimationFrame(() => one.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (!target.matches('[data-row]')) return
    const row = Number(target.dataset['row'])
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 400) / rowHeight) - 2)
    const [step, item] = [steps[event.key], rows[row]]
    if (event.key === 'Enter' && onOpen && item !== undefined) onOpen(item)
    else if (step) focusRow(step(row, page, last))
    else return
    event.preventDefault()
  }
  // of the rows that are drawn, one always is in the order of tabs
  const at = Math.max(from, Math.min(active.value, to - 1, last))
  return { box, from, to, look, onKeyDown, active, at }
}

interface RowProps<T> {
  readonly item: T
  readonly row: number
  readonly table: TableProps<T>
  readonly isActive: boolean
  readonly onFocus: () => void
}

function Row<T>({ item, row, table: { columns, onOpen, isChosen }, isActive, onFocus }: RowProps<T>) {
  const open = (event: MouseEvent) => {
    const inner = (event.target as HTMLElement).closest('a, button, input, label')
    if (!inner && onOpen) onOpen(item)
  }
  return (
    <div
      class={`row${isChosen?.(item) ? ' chosen' : ''}${onOpen ? ' opens' : ''}`}
      role="row"
      aria-rowindex={row + 2}
      data-row={row}
      tabIndex={isActive ? 0 : -1}
      style={{ '--row': String(row) }}
      onFocus={onFocus}
      onClick={open}
    >
      {columns.map(({ name, cell, wideOnly }) => (
        <div key={name} class={wideOnly ? 'cell wide-only' : 'cell'} role="gridcell">
          {cell(item)}
        </div>
      ))}
    </div>
  )
}

const tracksOf = <T,>(columns: readonly Column<T>[]): string => columns.map(({ width }) => width).join(' ')

export function Table<T>(table: TableProps<T>) {
  const { label, columns, items, idOf, onOpen, least, first } = table
  const order = useSignal<Order | undefined>(first)
  const rows = sorted(items, columns, order.value)
  const { box, from, to, look, onKeyDown, active, at } = useRows(rows, onOpen)
  const tracks = { '--tracks': tracksOf(columns), '--narrow': tracksOf(columns.filter(({ wideOnly }) => !wideOnly)) }
  return (
    <div
      ref={box}
      class={least ? 'table wide' : 'table'}
      role="grid"
      tabIndex={-1}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      style={{ ...tracks, '--rows': String(rows.length), '--least': least ?? '0' }}
      onScroll={look}
      onKeyDown={onKeyDown}
    >
      <div class="row head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <ColumnHead key={column.name} column={column} order={order} />
        ))}
      </div>
      <div class="rows" role="rowgroup">
        {rows.slice(from, to).map((item, i) => (
          <Row
            key={idOf(item)}
            {...{ item, row: from + i, table, isActive: from + i === at }}
            onFocus={() => (active.value = from + i)}
          />
        ))}
      </div>
    </div>
  )
}
