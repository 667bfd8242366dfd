// A list as a table: a row for each item, which opens to all of it.
import { useSignal } from '@preact/signals'
import { Copy } from '../../../../../base/console/parts/controls.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { Table, type TableColumn } from '../../../../../base/console/parts/table.tsx'
import { plainText, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { columnsOf, type ItemColumn, shortText } from './columns.ts'
import { type Members, printJson } from './exact-json.ts'
import { ItemFields } from './item-fields.tsx'
import type { Form } from './operation-form.ts'
import { PictureCell } from './picture.tsx'
import { picturesIn } from './pictures.ts'
import { ShortValue } from './value.tsx'
import type { WorkbenchState } from './workbench-state.ts'

export interface ItemRow {
  /** from 1 */
  readonly number: number
  readonly item: Members
}

export const rowsOf = (items: readonly Members[]): readonly ItemRow[] =>
  items.map((item, i) => ({ number: i + 1, item }))

/** in rem; for letters of wide fonts, so that ids stay whole */
const letter = 0.64
const padding = 1.8
const gap = 0.9

export const leastWidth = (columns: readonly ItemColumn[]): string =>
  `${columns.reduce((all, { width }) => all + width * letter + gap, padding).toFixed(1)}rem`

export const trackOf = ({ width }: ItemColumn): string => `minmax(${(width * letter).toFixed(1)}rem, ${width}fr)`

function columnFor(column: ItemColumn, workbench: WorkbenchState): TableColumn<ItemRow> {
  const { name, image } = column
  return {
    name: plainText(name),
    width: trackOf(column),
    cell: ({ item }) => {
      const value = item.get(name)
      if (name === 'id' && typeof value === 'string') return <UntrustedText mono text={shortText(value)} />
      const isPicture = image !== undefined && picturesIn(value).length > 0
      return isPicture ? <PictureCell value={value} name={name} workbench={workbench} /> : <ShortValue value={value} />
    },
  }
}

interface ItemTableProps {
  readonly form: Form
  readonly items: readonly Members[]
  readonly workbench: WorkbenchState
}

export function ItemTable({ form, items, workbench }: ItemTableProps) {
  const opened = useSignal<ItemRow | undefined>(undefined)
  const columns = columnsOf(form, items)
  const open = opened.value
  return (
    <>
      <Table
        label={form.summary}
        columns={columns.map((column) => columnFor(column, workbench))}
        items={rowsOf(items)}
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
          <ItemFields form={form} item={open.item} workbench={workbench} />
          <div class="actions">
            <Copy text={() => printJson(open.item, '  ')} label="Copy as JSON" />
          </div>
        </Dialog>
      )}
    </>
  )
}
