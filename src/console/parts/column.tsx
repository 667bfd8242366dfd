// A column of a table: what stands in it, and by what it is sorted.
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export interface Column<T> {
  readonly name: string
  /** of the grid's track, such as `12rem` or `2fr` */
  readonly width: string
  readonly cell: (item: T) => ComponentChildren
  /** the column is left out where there is little room */
  readonly wideOnly?: boolean
  /** by which the rows can be sorted */
  readonly sortBy?: (item: T) => string | number
}

export interface Order {
  readonly column: string
  readonly down: boolean
}

export function sorted<T>(items: readonly T[], columns: readonly Column<T>[], order: Order | undefined): readonly T[] {
  const by = columns.find(({ name }) => name === order?.column)?.sortBy
  if (!by || !order) return items
  const sign = order.down ? -1 : 1
  return items.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)]
    return left === right ? 0 : left < right ? -sign : sign
  })
}

interface HeadProps<T> {
  readonly column: Column<T>
  readonly order: Signal<Order | undefined>
}

/** up, down, and as they came */
export function ColumnHead<T>({ column: { name, sortBy, wideOnly }, order }: HeadProps<T>) {
  const down = order.value?.column === name ? order.value.down : undefined
  const said = down === undefined ? 'none' : down ? 'descending' : 'ascending'
  const sort = () => void (order.value = down ? undefined : { column: name, down: down === false })
  return (
    <div class={wideOnly ? 'cell wide-only' : 'cell'} role="columnheader" aria-sort={sortBy ? said : undefined}>
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
