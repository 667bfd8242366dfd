// The audit: who did what, and what was denied. Newest first, narrowed by the door; a line opens beside the list.
import { useSignal } from '@preact/signals'
import type { AuditLine } from '../../answers.ts'
import { counted } from '../../numbers.ts'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import './audit.css'
import { columns } from './columns.tsx'
import { everything, pathOf, useFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import { Line } from './line.tsx'
import { type Lines, type UsedLines, useLines } from './lines.ts'

function said({ items, state }: Lines): string {
  if (state === 'loading') return 'Being read…'
  if (items.length === 0) return ''
  const count = counted(items.length, 'line')
  if (state === 'whole') return `${count}: all that fit.`
  return `The newest ${count} that fit. Older ones are there.`
}

const knownFields = new Set(['act', 'target', 'who', 'since', 'until'])

function Foot({ used: { lines, older } }: { readonly used: UsedLines }) {
  const now = lines.value
  return (
    <div class="how-much">
      <span role="status">{said(now)}</span>
      {now.state === 'whole' && now.begins && (
        <span>
          It begins at line {now.begins.line}: earlier lines were pruned <Moment iso={now.begins.prunedAt} />.
        </span>
      )}
      {now.items.length > 0 && now.state !== 'whole' && (
        <Button busy={now.state === 'loading'} onClick={older}>
          Older
        </Button>
      )}
    </div>
  )
}

function Head({ used: { lines, news, newer } }: { readonly used: UsedLines }) {
  const { state, readAt } = lines.value
  return (
    <div class="how-much audit-head">
      <span role="status">{news.value}</span>
      <span class="end">
        {readAt && (
          <>
            Newest read <Moment iso={readAt} />{' '}
          </>
        )}
        <Button busy={state === 'loading'} onClick={newer}>
          New lines
        </Button>
      </span>
    </div>
  )
}

interface BodyProps {
  readonly used: UsedLines
  readonly chosen: AuditLine | undefined
  readonly isNarrowed: boolean
  readonly onClear: () => void
  readonly onOpen: (line: AuditLine) => void
}

function Body({ used: { lines, again }, chosen, isNarrowed, onClear, onOpen }: BodyProps) {
  const { items, state, refusal } = lines.value
  const atField = refusal?.param !== undefined && knownFields.has(refusal.param)
  return (
    <>
      {refusal && !atField && <Failed refusal={refusal} again={again} what="The audit could not be read further." />}
      {items.length === 0 && state === 'loading' && <Waiting what="the audit" rows={10} />}
      {items.length === 0 && state === 'whole' && (
        <Empty title={isNarrowed ? 'No line fits.' : 'Nothing was done yet.'}>
          {isNarrowed ? (
            <Button onClick={onClear}>Show all lines</Button>
          ) : (
            <p>Each change, and each refusal of one, leaves a line here.</p>
          )}
        </Empty>
      )}
      {items.length > 0 && (
        <Table
          label="Audit"
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
  const used = useLines(pathOf(filter.value))
  const chosen = useSignal<AuditLine | undefined>(undefined)
  const line = chosen.value
  return (
    <>
      <Filters used={usedFilter} refusal={used.lines.value.refusal}>
        <Head used={used} />
      </Filters>
      <div class="beside audit-page">
        <div class="audit-lines" aria-busy={used.lines.value.state === 'loading'}>
          <Body
            {...{ used, chosen: line, isNarrowed: pathOf(filter.value) !== pathOf(everything) }}
            onClear={() => change(everything)}
            onOpen={(opened) => void (chosen.value = opened)}
          />
          <Foot used={used} />
        </div>
        {line && <Line key={line.seq} line={line} only={change} onClose={() => void (chosen.value = undefined)} />}
      </div>
    </>
  )
}
