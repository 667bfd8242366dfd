// What an id is picked from: the items of the operation that lists such ids, read page by page, and a field to find one.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { finderOf, small } from '../../finding.ts'
import { plainText } from '../../parts/foreign.tsx'
import { Table } from '../../parts/table.tsx'
import { asRefusal, type Refusal } from '../../refusal.ts'
import { readThrough } from './asking.ts'
import { columnsOf, shortText } from './columns.ts'
import { type Draft, draftFrom, targetOf } from './draft.ts'
import type { Form } from './forms.ts'
import type { Members } from './json.ts'
import { itemsIn, nextCursorIn, refusalIn } from './reading.ts'
import { leastWidth, type Row, trackOf } from './rows.tsx'
import { ShortValue } from './value.tsx'

interface Found {
  readonly items: readonly Members[]
  readonly cursor: string | undefined
}

/** pages as large as they may be: fewer calls of the platform */
function draftOf(source: Form, ids: Draft['ids']): Draft {
  const size = source.parameters.find(({ kind, maximum, standard }) => kind === 'integer' && maximum && standard)
  return { ids, query: size ? { [size.name]: String(size.maximum) } : {} }
}

export function useFound(connection: string, source: Form, ids: Draft['ids']) {
  const found = useSignal<Found | undefined>(undefined)
  const refusal = useSignal<Refusal | undefined>(undefined)
  const flight = useSignal<AbortController | undefined>(undefined)
  const busy = useSignal(false)
  const read = async (anew = false) => {
    if (anew) found.value = undefined
    const leaving = (flight.value = new AbortController())
    busy.value = true
    refusal.value = undefined
    const before = found.peek()
    const draft = draftOf(source, ids)
    const asked = before?.cursor === undefined ? draft : draftFrom(source, draft, before.cursor)
    try {
      const reading = await readThrough(connection, targetOf(source, asked), leaving.signal)
      const said = refusalIn(reading)
      if (said) throw said
      found.value = { items: [...(before?.items ?? []), ...(itemsIn(reading) ?? [])], cursor: nextCursorIn(reading) }
    } catch (error) {
      if (!leaving.signal.aborted) refusal.value = asRefusal(error)
    } finally {
      busy.value = false
    }
  }
  useEffect(() => () => flight.peek()?.abort(), [])
  return { found, refusal, busy, read }
}

/** an id is told by what stands beside it */
const told = 5

interface PickListProps {
  readonly source: Form
  readonly items: readonly Members[]
  readonly onPick: (id: string) => void
}

export function PickList({ items, source, onPick }: PickListProps) {
  const sought = useSignal('')
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.focus(), [])
  const columns = columnsOf(source, items).slice(0, told)
  const isFound = finderOf(sought.value)
  const rows: Row[] = items.map((item, i) => ({ number: i + 1, item }))
  const left = rows.filter(({ item }) => isFound(small(columns.map(({ name }) => shortText(item.get(name))).join(' '))))
  const pick = ({ item }: Row) => {
    const id = item.get('id')
    if (typeof id === 'string') onPick(id)
  }
  return (
    <>
      <input
        type="search"
        aria-label="Find among these"
        placeholder="Find among these"
        value={sought.value}
        ref={box}
        onInput={(event) => (sought.value = event.currentTarget.value)}
      />
      <Table
        label={source.summary}
        columns={columns.map((column) => ({
          name: plainText(column.name),
          width: trackOf(column),
          cell: ({ item }: Row) => <ShortValue value={item.get(column.name)} />,
        }))}
        items={left}
        idOf={({ number }) => String(number)}
        least={leastWidth(columns)}
        onOpen={pick}
      />
      {left.length === 0 && <p class="hint">None of these has all of these words.</p>}
    </>
  )
}
