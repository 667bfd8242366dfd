// A table of any length: only the rows in view are drawn. All rows have one height; arrows, Page, Home and End move between them,
// Enter opens one. Its many lines are the table, its rows and its heads.
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useViewport } from './viewport.ts'

export interface TableColumn<T> {
  readonly name: string
  /** of the grid's track, such as `12rem` or `2fr` */
  readonly width: string
  readonly cell: (item: T) => ComponentChildren
  /** left out where there is little room */
  readonly wideOnly?: boolean
  /** numbers stand under each other */
  readonly isNumber?: boolean
  readonly sortBy?: (item: T) => string | number
}

interface TableOrder {
  readonly column: string
  readonly down: boolean
}

interface TableProps<T> {
  readonly label: string
  readonly columns: readonly TableColumn<T>[]
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  readonly onOpen?: (item: T) => void
  readonly isChosen?: (item: T) => boolean
  /** width of the rows: where there is less room they scroll sideways */
  readonly least?: string | undefined
  readonly first?: TableOrder
}

/** as in parts.css */
const row = { height: 40, width: 1, margin: 8, least: 40 }

function sorted<T>(items: readonly T[], columns: readonly TableColumn<T>[], order: TableOrder | undefined) {
  const by = columns.find(({ name }) => name === order?.column)?.sortBy
  if (!by || !order) return items
  const sign = order.down ? -1 : 1
  return items.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)]
    return left === right ? 0 : left < right ? -sign : sign
  })
}

const cellClass = ({ wideOnly, isNumber }: Pick<TableColumn<never>, 'wideOnly' | 'isNumber'>): string =>
  `cell${wideOnly ? ' wide-only' : ''}${isNumber ? ' numeric' : ''}`

interface HeadProps<T> {
  readonly column: TableColumn<T>
  readonly order: Signal<TableOrder | undefined>
}

/** sorts up, then down, then as the items came */
function ColumnHead<T>({ column, order }: HeadProps<T>) {
  const { name, sortBy } = column
  const down = order.value?.column === name ? order.value.down : undefined
  const direction = down === undefined ? 'none' : down ? 'descending' : 'ascending'
  const sort = () => void (order.value = down ? undefined : { column: name, down: down === false })
  return (
    <div class={cellClass(column)} role="columnheader" aria-sort={sortBy ? direction : undefined}>
      {sortBy ? (
        <button type="button" class="sort" onClick={sort}>
          {name}
          <span aria-hidden="true">{down === undefined ? '' : down ? ' ↓' : ' ↑'}</span>
        </button>
      ) : (
        name
      )}
    </div>
  )
}

const steps: Readonly<Record<string, (at: number, page: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (_at, _page, last) => last,
}

/** the row in the tab order, moved by keys */
function useRows<T>(rows: readonly T[], onOpen: ((item: T) => void) | undefined) {
  const active = useSignal(0)
  const { box, view, look, reveal } = useViewport({ rows: rows.length, columns: 0 }, row)
  const last = rows.length - 1
  const focusRow = (wanted: number) => {
    const to = Math.max(0, Math.min(last, wanted))
    active.value = to
    reveal(to, -1, row)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (!target.matches('[data-row]')) return
    const at = Number(target.dataset['row'])
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 400) / row.height) - 2)
    const [step, item] = [steps[event.key], rows[at]]
    if (event.key === 'Enter' && onOpen && item !== undefined) onOpen(item)
    else if (step) focusRow(step(at, page, last))
    else return
    event.preventDefault()
  }
  // one of the drawn rows is always in the tab order
  const at = Math.max(view.top, Math.min(active.value, view.bottom - 1, last))
  return { box, from: view.top, to: view.bottom, look, onKeyDown, active, at }
}

interface RowProps<T> {
  readonly item: T
  readonly at: number
  readonly table: TableProps<T>
  readonly isActive: boolean
  readonly onFocus: () => void
}

function Row<T>({ item, at, table: { columns, onOpen, isChosen }, isActive, onFocus }: RowProps<T>) {
  const open = (event: MouseEvent) => {
    const inner = (event.target as HTMLElement).closest('a, button, input, label')
    if (!inner && onOpen) onOpen(item)
  }
  return (
    <div
      class={`row${isChosen?.(item) ? ' chosen' : ''}${onOpen ? ' opens' : ''}`}
      role="row"
      aria-rowindex={at + 2}
      data-row={at}
      tabIndex={isActive ? 0 : -1}
      style={{ '--row': String(at) }}
      onFocus={onFocus}
      onClick={open}
    >
      {columns.map((column) => (
        <div key={column.name} class={cellClass(column)} role="gridcell">
          {column.cell(item)}
        </div>
      ))}
    </div>
  )
}

const tracksOf = <T,>(columns: readonly TableColumn<T>[]): string => columns.map(({ width }) => width).join(' ')

export function Table<T>(table: TableProps<T>) {
  const { label, columns, items, idOf, onOpen, least, first } = table
  const order = useSignal<TableOrder | undefined>(first)
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
            item={item}
            at={from + i}
            table={table}
            isActive={from + i === at}
            onFocus={() => (active.value = from + i)}
          />
        ))}
      </div>
    </div>
  )
}
