// Many connections: one line each, of which only those in view are drawn. A change draws the cells of its line alone.
import type { ComponentChildren } from 'preact'
import type { Card } from '../../answers.ts'
import { stateOf } from '../../connection-state.ts'
import { counted, share, whole } from '../../../../../base/console/format.ts'
import { Badge, RelativeTime } from '../../../../../base/console/parts/display.tsx'
import { Meter, shareLeft, unknownQuota } from '../../../../../base/console/parts/gauge.tsx'
import { Sparkline } from '../../../../../base/console/parts/sparkline.tsx'
import { Table, type TableColumn } from '../../../../../base/console/parts/table.tsx'
import { go } from '../../../../../base/console/router.ts'
import { cardOf } from '../../store.ts'
import { freezing, shownIds } from './card-order.ts'
import { hourText } from './card.tsx'

type Cell = (props: { readonly card: Card }) => ComponentChildren

/** reads its card by itself, so that its line is not drawn again with it */
function cellOf(Cell: Cell) {
  const Live = ({ id }: { readonly id: string }) => {
    const card = cardOf(id)?.value
    return card ? <Cell card={card} /> : null
  }
  return (id: string) => <Live id={id} />
}

function State({ card }: { readonly card: Card }) {
  const { word, tone, sentence } = stateOf(card)
  return (
    <span title={sentence}>
      <Badge tone={tone}>{word}</Badge>
    </span>
  )
}

function Meaning({ card }: { readonly card: Card }) {
  const { sentence } = stateOf(card)
  return (
    <span class="soft" title={sentence}>
      {sentence}
    </span>
  )
}

function Quota({ card: { id, status } }: { readonly card: Card }) {
  const window = status?.quota.hour ?? null
  return (
    <span class="overview-left" title={window ? `${whole(window.remaining)} of ${whole(window.limit)}` : unknownQuota}>
      <Meter label={`Quota left of ${id}, hour`} window={window} />
      {window ? share(Math.round(shareLeft(window) * window.limit), window.limit) : <span class="soft">unknown</span>}
    </span>
  )
}

const columns: readonly TableColumn<string>[] = [
  {
    name: 'Connection',
    width: 'minmax(5rem, 1fr)',
    cell: (id) => (
      <span class="mono" title={id}>
        {id}
      </span>
    ),
  },
  { name: 'State', width: '8.75rem', cell: cellOf(State) },
  { name: 'What it means', width: 'minmax(0, 1.8fr)', wideOnly: true, cell: cellOf(Meaning) },
  { name: 'Quota left', width: '7rem', wideOnly: true, isNumber: true, cell: cellOf(Quota) },
  {
    name: 'Calls',
    width: '3.5rem',
    wideOnly: true,
    isNumber: true,
    cell: cellOf(({ card }) => whole(card.hour.calls)),
  },
  {
    name: 'Failed',
    width: '3.5rem',
    wideOnly: true,
    isNumber: true,
    cell: cellOf(({ card: { hour } }) => <span class={hour.errors > 0 ? 'fault' : 'soft'}>{whole(hour.errors)}</span>),
  },
  {
    name: 'Last hour',
    width: '5rem',
    wideOnly: true,
    cell: cellOf(({ card }) => (
      <Sparkline all={card.perMinute.calls} failed={card.perMinute.errors} summary={hourText(card)} />
    )),
  },
  {
    name: 'Last success',
    width: '5.75rem',
    wideOnly: true,
    cell: cellOf(({ card: { status } }) => <RelativeTime iso={status?.lastAnswerAt} />),
  },
]

export function Rows() {
  const shown = shownIds.value
  return (
    <div class="overview-rows" {...freezing}>
      <Table
        label="Connections"
        columns={columns}
        items={shown}
        idOf={(id) => id}
        onOpen={(id) => go('/connections', { id })}
      />
      <p class="listing-status">{counted(shown.length, 'connection')} shown. Enter or a click opens one.</p>
    </div>
  )
}
