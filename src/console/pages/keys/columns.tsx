// The columns of the table of keys.
import type { Key } from '../../answers.ts'
import { nowMs } from '../../clock.ts'
import { small } from '../../finding.ts'
import { groupsText, listed, rateText, seesAll } from '../../grants.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/column.tsx'
import { Foreign, plainText } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { Tone } from '../../parts/tone.ts'
import { endsSoon } from './narrowing.ts'

const tones: Readonly<Record<Key['state'], Tone>> = { active: 'good', expired: 'idle', revoked: 'bad' }

export function State({ state }: Pick<Key, 'state'>) {
  return <Badge tone={tones[state]}>{state}</Badge>
}

export function Ends({ item }: { readonly item: Key }) {
  return (
    <span class={endsSoon(item, nowMs()) ? 'keys-soon' : undefined}>
      <Moment iso={item.expiresAt} />
    </span>
  )
}

function Connections({ connections }: Pick<Key, 'connections'>) {
  if (seesAll({ connections })) return <span title="All, later ones too">all</span>
  const names = connections.slice(0, 20).map(plainText)
  if (connections.length === 1) return <Foreign text={connections[0] ?? ''} />
  return <span title={names.join(', ') + (connections.length > 20 ? ', …' : '')}>{connections.length}</span>
}

const msOf = (iso: string | null, none: number): number => (iso === null ? none : Date.parse(iso))

export const columns: readonly Column<Key>[] = [
  {
    ...{ name: 'Name', width: 'minmax(7rem, 1fr)', sortBy: ({ name }) => small(name) },
    cell: ({ name }) => <Foreign text={name} />,
  },
  {
    ...{ name: 'State', width: '5.25rem', sortBy: ({ state }) => state },
    cell: ({ state }) => <State state={state} />,
  },
  {
    ...{ name: 'Connections', width: '6.5rem', wideOnly: true },
    sortBy: (key) => (seesAll(key) ? Number.POSITIVE_INFINITY : key.connections.length),
    cell: ({ connections }) => <Connections connections={connections} />,
  },
  {
    ...{ name: 'Groups', width: '5.5rem', wideOnly: true, sortBy: (key) => key.groups.length },
    cell: (key) => <span title={listed(key.groups)}>{groupsText(key)}</span>,
  },
  {
    ...{ name: 'Rate', width: '5rem', wideOnly: true },
    sortBy: ({ perMinute }) => (perMinute === 0 ? Number.POSITIVE_INFINITY : (perMinute ?? -1)),
    cell: (key) => <span class={key.perMinute === null ? 'soft' : 'number'}>{rateText(key)}</span>,
  },
  {
    ...{ name: 'Created', width: '6.25rem', wideOnly: true, sortBy: ({ createdAt }) => Date.parse(createdAt) },
    cell: ({ createdAt }) => <Moment iso={createdAt} />,
  },
  {
    ...{ name: 'Expires', width: '6.25rem', wideOnly: true },
    sortBy: ({ expiresAt }) => msOf(expiresAt, Number.POSITIVE_INFINITY),
    cell: (key) => <Ends item={key} />,
  },
  {
    ...{ name: 'Last use', width: '6.25rem', sortBy: ({ lastUsedAt }) => msOf(lastUsedAt, 0) },
    cell: ({ lastUsedAt }) => <Moment iso={lastUsedAt} />,
  },
]
