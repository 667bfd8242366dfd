// The items that an id is selected from, loaded page by page, with a search.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../../../../../base/console/load.ts'
import { Search } from '../../../../../base/console/parts/search.tsx'
import { Table } from '../../../../../base/console/parts/table.tsx'
import { plainText } from '../../../../../base/console/parts/display.tsx'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import { columnsOf, shortText } from './columns.ts'
import type { Members } from './exact-json.ts'
import { type ItemRow, leastWidth, rowsOf, trackOf } from './item-table.tsx'
import type { Form } from './operation-form.ts'
import { itemsIn, nextCursorIn, refusalIn } from './read-answer.ts'
import { draftFrom, type RequestDraft, targetOf } from './request-draft.ts'
import { readThrough } from './send.ts'
import { ShortValue } from './value.tsx'

interface FoundItems {
  readonly items: readonly Members[]
  readonly cursor: string | undefined
}

/** the largest pages: fewer platform calls */
function draftOf(source: Form, ids: RequestDraft['ids']): RequestDraft {
  const size = source.parameters.find(({ kind, maximum, standard }) => kind === 'integer' && maximum && standard)
  return { ids, query: size ? { [size.name]: String(size.maximum) } : {} }
}

export function useItems(connection: string, source: Form, ids: RequestDraft['ids']) {
  const found = useSignal<FoundItems | undefined>(undefined)
  const leaving = useRef(new AbortController())
  const { busy, refusal, run } = useAction()
  const read = async (anew = false) => {
    if (anew) found.value = undefined
    const before = found.peek()
    const draft = draftOf(source, ids)
    const wanted = before?.cursor === undefined ? draft : draftFrom(source, draft, before.cursor)
    await run(async () => {
      const answer = await readThrough(connection, targetOf(source, wanted), leaving.current.signal)
      const refused = refusalIn(answer)
      if (refused) throw refused
      found.value = { items: [...(before?.items ?? []), ...(itemsIn(answer) ?? [])], cursor: nextCursorIn(answer) }
    })
  }
  useEffect(() => () => leaving.current.abort(), [])
  return { found, refusal, busy, read }
}

/** an id is recognized by what is beside it */
const mostColumns = 5

interface PickListProps {
  readonly source: Form
  readonly items: readonly Members[]
  readonly onPick: (id: string) => void
}

export function PickList({ items, source, onPick }: PickListProps) {
  const sought = useSignal('')
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.focus(), [])
  const columns = columnsOf(source, items).slice(0, mostColumns)
  const isFound = wordMatcher(sought.value)
  const textOf = ({ item }: ItemRow) => lowerCase(columns.map(({ name }) => shortText(item.get(name))).join(' '))
  const left = rowsOf(items).filter((row) => isFound(textOf(row)))
  const pick = ({ item }: ItemRow) => {
    const id = item.get('id')
    if (typeof id === 'string') onPick(id)
  }
  return (
    <>
      <Search box={box} label="Search these items" value={sought.value} onInput={(text) => (sought.value = text)} />
      <Table
        label={source.summary}
        columns={columns.map((column) => ({
          name: plainText(column.name),
          width: trackOf(column),
          cell: ({ item }: ItemRow) => <ShortValue value={item.get(column.name)} />,
        }))}
        items={left}
        idOf={({ number }) => String(number)}
        least={leastWidth(columns)}
        onOpen={pick}
      />
      {left.length === 0 && <p class="hint">No matches.</p>}
    </>
  )
}
