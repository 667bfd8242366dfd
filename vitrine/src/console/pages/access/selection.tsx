// What the selected row, column or cell means, in a sentence.
import { Button, Link } from '../../../../../base/console/parts/controls.tsx'
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { cellText, columnText, endedText, rowText } from './descriptions.ts'
import {
  canRead,
  change,
  type ConnectionColumn,
  type KeyRow,
  type Matrix,
  matrixFilter,
  selection,
} from './matrix-data.ts'

const mostNames = 12

function KeyDetails({ row, text }: { readonly row: KeyRow; readonly text: string }) {
  return (
    <>
      <p>
        <b>
          <UntrustedText text={row.key.name} />
        </b>{' '}
        {text}
      </p>
      {row.ended.length > 0 && <p class="access-ended">{endedText(row)}</p>}
      <p>
        <Link to="/keys" names={{ id: row.key.id }}>
          Open key
        </Link>
      </p>
    </>
  )
}

function ConnectionDetails({ column, rows }: { readonly column: ConnectionColumn; readonly rows: readonly KeyRow[] }) {
  const readers = rows.filter((row) => row.key.state === 'active' && canRead(row, column.id))
  const isOnly = matrixFilter.value.reads === column.id
  return (
    <>
      <p>
        <b>
          <UntrustedText text={column.id} />
        </b>
        . {columnText(column)}
      </p>
      <p class="access-names">
        {readers.slice(0, mostNames).map(({ key: { id, name } }) => (
          <Link key={id} to="/keys" names={{ id }}>
            <UntrustedText text={name} />
          </Link>
        ))}
        {readers.length > mostNames && <span class="soft">and {readers.length - mostNames} more</span>}
      </p>
      <div class="actions">
        <Button onClick={() => change({ reads: isOnly ? undefined : column.id })}>
          {isOnly ? 'Show all keys' : 'Show only these keys'}
        </Button>
      </div>
    </>
  )
}

function Details({ matrix: { rows, columns, known } }: { readonly matrix: Matrix }) {
  const { key, connection } = selection.value
  const row = rows.find((one) => one.key.id === key)
  const column = columns.find(({ id }) => id === connection)
  if (row) return <KeyDetails row={row} text={column ? cellText(row, column.id) : rowText(row, known)} />
  if (column) return <ConnectionDetails column={column} rows={rows} />
  return <p class="soft">Select a key, a connection or a cell to see details here. Enter opens the key.</p>
}

export function SelectionDetails({ matrix }: { readonly matrix: Matrix }) {
  return (
    <section class="access-selection card" aria-label="Selection">
      <Details matrix={matrix} />
    </section>
  )
}
