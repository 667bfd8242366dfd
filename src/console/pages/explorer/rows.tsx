// A list as a table: a row for each item, which opens to all of it.
import { useSignal } from '@preact/signals'
import type { Column } from '../../parts/column.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Foreign, plainText } from '../../parts/foreign.tsx'
import { Table } from '../../parts/table.tsx'
import { columnsOf, type ItemColumn, shortText } from './columns.ts'
import type { Desk } from './desk.ts'
import { Facts } from './facts.tsx'
import type { Form } from './forms.ts'
import { type Members, printJson } from './json.ts'
import { PictureCell } from './picture.tsx'
import { picturesIn } from './pictures.ts'
import { ShortValue } from './value.tsx'

export interface Row {
  /** from 1 */
  readonly number: number
  readonly item: Members
}

/** in rem; letters of wide fonts are counted, so that ids stay whole */
const letter = 0.64
const padding = 1.8
const gap = 0.9

export const leastWidth = (columns: readonly ItemColumn[]): string =>
  `${columns.reduce((all, { width }) => all + width * letter + gap, padding).toFixed(1)}rem`

export const trackOf = ({ width }: ItemColumn): string => `minmax(${(width * letter).toFixed(1)}rem, ${width}fr)`

function columnFor(column: ItemColumn, desk: Desk): Column<Row> {
  const { name, image } = column
  return {
    name: plainText(name),
    width: trackOf(column),
    cell: ({ item }) => {
      const value = item.get(name)
      const isPicture = image !== undefined && picturesIn(value).length > 0
      if (name === 'id' && typeof value === 'string')
        return (
          <span class="mono">
            <Foreign text={shortText(value)} />
          </span>
        )
      return isPicture ? <PictureCell {...{ value, name, desk }} /> : <ShortValue value={value} />
    },
  }
}

interface RowsProps {
  readonly form: Form
  readonly items: readonly Members[]
  readonly desk: Desk
}

export function Rows({ form, items, desk }: RowsProps) {
  const opened = useSignal<Row | undefined>(undefined)
  const columns = columnsOf(form, items)
  const rows = items.map((item, i) => ({ number: i + 1, item }))
  const open = opened.value
  return (
    <>
      <Table
        label={form.summary}
        columns={columns.map((column) => columnFor(column, desk))}
        items={rows}
        idOf={({ number }) => String(number)}
        least={leastWidth(columns)}
        onOpen={(row) => (opened.value = row)}
        isChosen={({ number }) => number === open?.number}
      />
      {open && (
        <Dialog
          wide
          title={`Row ${open.number}: ${plainText(shortText(open.item.get('id')))}`}
          onClose={() => (opened.value = undefined)}
        >
          <Facts form={form} item={open.item} desk={desk} />
          <div class="actions">
            <Copy text={() => printJson(open.item, '  ')} label="Copy as JSON" />
          </div>
        </Dialog>
      )}
    </>
  )
}
