// What the matrix is made of: the head of a column, the head of a row, and a cell with what the key can read there.
import type { ComponentChildren } from 'preact'
import { hasAllGroups } from '../../facade-key.ts'
import { groups } from '../../../catalogue/groups.ts'
import { plainText, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { cellText, columnText, endedText, rowText } from './descriptions.ts'
import { canRead, type ConnectionColumn, type KeyRow } from './matrix-data.ts'

export interface CellPosition {
  readonly id: string
  readonly row: number
  readonly column: number
  readonly isLit: boolean
  readonly isChosen: boolean
}

interface BoxProps {
  readonly name: string
  readonly position: CellPosition
  readonly role: 'columnheader' | 'rowheader' | 'gridcell'
  readonly 'aria-label': string
  readonly title?: string
  readonly children: ComponentChildren
}

/** -1 is the head, which is not placed by its column */
function Box({ name, position: { id, row, column, isLit, isChosen }, ...rest }: BoxProps) {
  return (
    <div
      {...rest}
      id={id}
      data-row={row}
      data-column={column}
      aria-colindex={column + 2}
      aria-selected={isChosen}
      class={[name, isLit && 'lit', isChosen && 'chosen'].filter(Boolean).join(' ')}
      style={column === -1 ? undefined : { '--at': String(column) }}
    />
  )
}

interface ColumnHeadProps {
  readonly position: CellPosition
  readonly column: ConnectionColumn
}

export function ColumnHead({ position, column }: ColumnHeadProps) {
  const name = plainText(column.id)
  return (
    <Box
      name="access-column"
      position={position}
      role="columnheader"
      aria-label={`${name}. ${columnText(column)}`}
      title={name}
    >
      <span class="access-label">
        <UntrustedText text={column.id} />
      </span>
      <span class="access-total" aria-hidden="true">
        {column.byName + column.byAll}
      </span>
    </Box>
  )
}

const endedClass = ({ key }: KeyRow): string => (key.state === 'active' ? '' : ' over')

interface RowHeadProps {
  readonly position: CellPosition
  readonly row: KeyRow
  readonly known: ReadonlySet<string>
}

export function RowHead({ position, row, known }: RowHeadProps) {
  const { key, ended, total } = row
  const name = plainText(key.name)
  return (
    <Box
      name={`access-name${endedClass(row)}`}
      position={position}
      role="rowheader"
      aria-label={`${name} ${rowText(row, known)} ${endedText(row)}`.trim()}
      title={name}
    >
      <span class="access-label">
        <UntrustedText text={key.name} />
      </span>
      {ended.length > 0 && (
        <span class="access-mark" aria-hidden="true" title={endedText(row)}>
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
    </Box>
  )
}

export function Mark({ isAll, share }: { readonly isAll: boolean; readonly share: string }) {
  return (
    <span class={`access-may ${share === 'all' ? 'whole' : 'part'} ${isAll ? 'star' : 'named'}`}>
      {share}
      {isAll && '*'}
    </span>
  )
}

interface CellProps {
  readonly position: CellPosition
  readonly row: KeyRow
  readonly connection: string
}

export function Cell({ position, row, connection }: CellProps) {
  const { key, isAll } = row
  const share = hasAllGroups(key) ? 'all' : `${key.groups.length}/${groups.length}`
  const isRead = canRead(row, connection)
  const text = `${plainText(key.name)} ${cellText(row, connection)}`
  return (
    <Box
      name={`access-cell${endedClass(row)}`}
      position={position}
      role="gridcell"
      // a screen reader says the mark first
      aria-label={isRead ? `${share}${isAll ? '*' : ''}: ${text}` : text}
    >
      {isRead && <Mark isAll={isAll} share={share} />}
    </Box>
  )
}
