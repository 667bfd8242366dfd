// What the chosen row, column or cell says, in a sentence.
import { Button } from '../../parts/button.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Link } from '../../parts/link.tsx'
import { change, choice, type Column, type Matrix, type Row, sees, view } from './view.ts'
import { cellWords, columnWords, endedWords, rowWords } from './words.ts'

const mostNames = 12

interface ReadoutProps {
  readonly matrix: Matrix
}

function OfRow({ row, words }: { readonly row: Row; readonly words: string }) {
  return (
    <>
      <p>
        <b>
          <Foreign text={row.key.name} />
        </b>{' '}
        {words}
      </p>
      {row.ended.length > 0 && <p class="access-gone">{endedWords(row)}</p>}
      <p>
        <Link to="/keys" names={{ id: row.key.id }}>
          Open the key
        </Link>
      </p>
    </>
  )
}

function Seers({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <p class="access-names">
      {rows.slice(0, mostNames).map(({ key: { id, name } }) => (
        <Link key={id} to="/keys" names={{ id }}>
          <Foreign text={name} />
        </Link>
      ))}
      {rows.length > mostNames && <span class="soft">and {rows.length - mostNames} more</span>}
    </p>
  )
}

function OfColumn({ column, rows }: { readonly column: Column; readonly rows: readonly Row[] }) {
  const seers = rows.filter((row) => row.key.state === 'active' && sees(row, column.id))
  const isOnly = view.value.sees === column.id
  return (
    <>
      <p>
        <b>
          <Foreign text={column.id} />
        </b>
        . {columnWords(column)}
      </p>
      <Seers rows={seers} />
      <div class="actions">
        <Button onClick={() => change({ sees: isOnly ? undefined : column.id })}>
          {isOnly ? 'Show all keys again' : 'Show only these keys'}
        </Button>
      </div>
    </>
  )
}

function Chosen({ matrix: { rows, columns, known } }: ReadoutProps) {
  const { key, connection } = choice.value
  const row = rows.find((one) => one.key.id === key)
  const column = columns.find(({ id }) => id === connection)
  if (row) return <OfRow row={row} words={column ? cellWords(row, column.id) : rowWords(row, known)} />
  if (column) return <OfColumn column={column} rows={rows} />
  return <p class="soft">Choose a key, a connection or a cell: what it means is said here. Enter opens the key.</p>
}

export function Readout({ matrix }: ReadoutProps) {
  return (
    <section class="access-readout card" aria-label="What is chosen">
      <Chosen matrix={matrix} />
    </section>
  )
}
