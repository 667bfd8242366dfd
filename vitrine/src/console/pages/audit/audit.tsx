// The audit log: who did what, and what was denied. Newest first, filtered by the API; an entry opens beside the list.
import { useSignal } from '@preact/signals'
import type { AuditLine } from '../../answers.ts'
import { counted } from '../../../../../base/console/format.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { RelativeTime } from '../../../../../base/console/parts/display.tsx'
import { Empty, Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { Table } from '../../../../../base/console/parts/table.tsx'
import './audit.css'
import { columns } from './columns.tsx'
import { type AuditEntries, type UsedEntries, useEntries } from './entries.ts'
import { EntryPanel } from './entry-panel.tsx'
import { everything, pathOf, useFilter } from './filter.ts'
import { Filters } from './filters.tsx'

function countText({ items, state }: AuditEntries): string {
  if (state === 'loading') return 'Loading…'
  if (items.length === 0) return ''
  const count = counted(items.length, 'entry', 'entries')
  return state === 'whole' ? `${count} in total.` : `The newest ${count}. Older entries are available.`
}

/** a refusal that names one of these is shown at its field */
const fields = new Set(['act', 'target', 'who', 'since', 'until'])

function Head({ used: { entries, news, newer } }: { readonly used: UsedEntries }) {
  const { state, readAt } = entries.value
  return (
    <div class="listing-status audit-head">
      <span role="status">{news.value}</span>
      <span class="end">
        {readAt && (
          <>
            Updated <RelativeTime iso={readAt} />{' '}
          </>
        )}
        <Button busy={state === 'loading'} onClick={() => void newer()}>
          Check for new entries
        </Button>
      </span>
    </div>
  )
}

function Foot({ used: { entries, older } }: { readonly used: UsedEntries }) {
  const { items, state, begins } = entries.value
  return (
    <div class="listing-status">
      <span role="status">{countText(entries.value)}</span>
      {state === 'whole' && begins && (
        <span>
          The log begins at entry {begins.line}: earlier entries were pruned <RelativeTime iso={begins.prunedAt} />.
        </span>
      )}
      {items.length > 0 && state !== 'whole' && (
        <Button busy={state === 'loading'} onClick={() => void older()}>
          Load older
        </Button>
      )}
    </div>
  )
}

interface BodyProps {
  readonly used: UsedEntries
  readonly chosen: AuditLine | undefined
  readonly isFiltered: boolean
  readonly onClear: () => void
  readonly onOpen: (line: AuditLine) => void
}

function Body({ used: { entries, begin }, chosen, isFiltered, onClear, onOpen }: BodyProps) {
  const { items, state, refusal } = entries.value
  const isAtField = refusal?.param !== undefined && fields.has(refusal.param)
  return (
    <>
      {refusal && !isAtField && (
        <Failed refusal={refusal} again={() => void begin()} what="The audit log could not be loaded." />
      )}
      {items.length === 0 && state === 'loading' && <Waiting what="the audit log" rows={10} />}
      {items.length === 0 && state === 'whole' && (
        <Empty title={isFiltered ? 'No matching entries.' : 'No entries yet.'}>
          {isFiltered ? (
            <Button onClick={onClear}>Show all entries</Button>
          ) : (
            <p>Each change, and each rejected attempt at one, is recorded here.</p>
          )}
        </Empty>
      )}
      {items.length > 0 && (
        <Table
          label="Audit log"
          columns={columns}
          items={items}
          idOf={({ seq }) => String(seq)}
          onOpen={onOpen}
          isChosen={({ seq }) => seq === chosen?.seq}
        />
      )}
    </>
  )
}

export default function Audit() {
  const usedFilter = useFilter()
  const { filter, change } = usedFilter
  const used = useEntries(pathOf(filter.value))
  const opened = useSignal<AuditLine | undefined>(undefined)
  const line = opened.value
  const { refusal, state } = used.entries.value
  return (
    <>
      <Filters used={usedFilter} refusal={refusal}>
        <Head used={used} />
      </Filters>
      <div class="split audit-page">
        <div class="audit-entries" aria-busy={state === 'loading'}>
          <Body
            used={used}
            chosen={line}
            isFiltered={pathOf(filter.value) !== pathOf(everything)}
            onClear={() => change(everything)}
            onOpen={(entry) => (opened.value = entry)}
          />
          <Foot used={used} />
        </div>
        {line && <EntryPanel key={line.seq} line={line} only={change} onClose={() => (opened.value = undefined)} />}
      </div>
    </>
  )
}
