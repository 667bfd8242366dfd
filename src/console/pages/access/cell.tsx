// What stands in the matrix: the head of a column, the head of a row, and a cell with what the key may see there.
import { hasAllGroups } from '../../grants.ts'
import { groups } from '../../groups.ts'
import { Foreign, plainText } from '../../parts/foreign.tsx'
import { type Column, type Row, sees } from './view.ts'
import { cellWords, columnWords, endedWords, rowWords } from './words.ts'

export interface Place {
  readonly id: string
  readonly row: number
  readonly column: number
  /** in the chosen row or column */
  readonly isLit: boolean
  readonly isChosen: boolean
}

const tiedOf = ({ id, row, column, isChosen }: Place) => ({
  id,
  'data-row': row,
  'data-column': column,
  'aria-colindex': column + 2,
  'aria-selected': isChosen,
})

const classOf = (name: string, { isLit, isChosen }: Place, ...more: readonly (string | false)[]): string =>
  [name, isLit && 'lit', isChosen && 'chosen', ...more].filter(Boolean).join(' ')

interface ColumnHeadProps {
  readonly place: Place
  readonly column: Column
}

export function ColumnHead({ place, column }: ColumnHeadProps) {
  return (
    <div
      {...tiedOf(place)}
      class={classOf('access-column', place)}
      role="columnheader"
      aria-label={`${plainText(column.id)}. ${columnWords(column)}`}
      title={plainText(column.id)}
      style={{ '--at': String(place.column) }}
    >
      <span class="access-label">
        <Foreign text={column.id} />
      </span>
      <span class="access-total" aria-hidden="true">
        {column.byName + column.byAll}
      </span>
    </div>
  )
}

interface RowHeadProps {
  readonly place: Place
  readonly row: Row
  readonly known: ReadonlySet<string>
}

export function RowHead({ place, row, known }: RowHeadProps) {
  const { key, ended, total } = row
  return (
    <div
      {...tiedOf(place)}
      class={classOf('access-name', place, key.state !== 'active' && 'over')}
      role="rowheader"
      aria-label={`${plainText(key.name)} ${rowWords(row, known)} ${endedWords(row)}`.trim()}
      title={plainText(key.name)}
    >
      <span class="access-label">
        <Foreign text={key.name} />
      </span>
      {ended.length > 0 && (
        <span class="access-mark" aria-hidden="true" title={endedWords(row)}>
          !
        </span>
      )}
      {key.state !== 'active' && (
        <span class="access-state" aria-hidden="true">
          {key.state}
        </span>
      )}
      <span class="access-total" aria-hidden="true">
        {total}
      </span>
    </div>
  )
}

/** what is in a cell of those that see something */
export function Mark({ isAll, share }: { readonly isAll: boolean; readonly share: string }) {
  return (
    <span class={`access-may ${share === 'all' ? 'whole' : 'part'} ${isAll ? 'star' : 'named'}`}>
      {share}
      {isAll && '*'}
    </span>
  )
}

interface CellProps {
  readonly place: Place
  readonly row: Row
  readonly connection: string
}

export function Cell({ place, row, connection }: CellProps) {
  const { key, isAll } = row
  const share = hasAllGroups(key) ? 'all' : `${key.groups.length}/${groups.length}`
  const isSeen = sees(row, connection)
  const words = `${plainText(key.name)} ${cellWords(row, connection)}`
  return (
    <div
      {...tiedOf(place)}
      class={classOf('access-cell', place, key.state !== 'active' && 'over')}
      role="gridcell"
      // what is shown comes first: it is what whoever goes through the cells wants to hear
      aria-label={isSeen ? `${share}${isAll ? '*' : ''}: ${words}` : words}
      style={{ '--at': String(place.column) }}
    >
      {isSeen && <Mark isAll={isAll} share={share} />}
    </div>
  )
}
