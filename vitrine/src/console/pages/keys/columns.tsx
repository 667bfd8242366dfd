// The columns of the table of keys.
import type { Key } from '../../answers.ts'
import { appsText, budgetText, groupsText, listed, rateText, readsAll } from '../../facade-key.ts'
import { nowMs } from '../../../../../base/console/clock.ts'
import { Badge, plainText, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { Tone } from '../../../../../base/console/parts/tone.ts'
import type { TableColumn } from '../../../../../base/console/parts/table.tsx'
import { lowerCase } from '../../../../../base/console/word-search.ts'
import { endsSoon } from './filter.ts'

const tones: Readonly<Record<Key['state'], Tone>> = { active: 'good', expired: 'idle', revoked: 'bad' }

export function State({ state }: Pick<Key, 'state'>) {
  return <Badge tone={tones[state]}>{state}</Badge>
}

export function Expiry({ item }: { readonly item: Key }) {
  return (
    <span class={endsSoon(item, nowMs()) ? 'keys-soon' : undefined}>
      <RelativeTime iso={item.expiresAt} />
    </span>
  )
}

const mostNames = 20

function Connections({ connections }: Pick<Key, 'connections'>) {
  if (readsAll({ connections })) return <span title="All, including connections added later">all</span>
  if (connections.length === 1) return <UntrustedText text={connections[0] ?? ''} />
  const names = connections.slice(0, mostNames).map(plainText).join(', ')
  return <span title={connections.length > mostNames ? `${names}, …` : names}>{connections.length}</span>
}

export const columns: readonly TableColumn<Key>[] = [
  {
    name: 'Name',
    width: 'minmax(7rem, 1fr)',
    cell: ({ name }) => <UntrustedText text={name} />,
    sortBy: ({ name }) => lowerCase(name),
  },
  { name: 'State', width: '5.25rem', cell: State, sortBy: ({ state }) => state },
  {
    name: 'Connections',
    width: '6.5rem',
    wideOnly: true,
    cell: Connections,
    sortBy: (key) => (readsAll(key) ? Number.POSITIVE_INFINITY : key.connections.length),
  },
  {
    name: 'Groups',
    width: '5.5rem',
    wideOnly: true,
    cell: (key) => <span title={listed(key.groups)}>{groupsText(key)}</span>,
    sortBy: (key) => key.groups.length,
  },
  {
    name: 'Apps',
    width: '6.5rem',
    wideOnly: true,
    cell: (key) => (
      <span class={key.apps === null ? 'soft' : 'number'} title={key.apps?.join(', ')}>
        {appsText(key)}
      </span>
    ),
    sortBy: ({ apps }) => apps?.length ?? Number.POSITIVE_INFINITY,
  },
  {
    name: 'Rate limit',
    width: '5.5rem',
    wideOnly: true,
    cell: (key) => <span class={key.perMinute === null ? 'soft' : 'number'}>{rateText(key)}</span>,
    sortBy: ({ perMinute }) => (perMinute === 0 ? Number.POSITIVE_INFINITY : (perMinute ?? -1)),
  },
  {
    name: 'Budget',
    width: '5.5rem',
    wideOnly: true,
    cell: (key) => (
      <span class={key.platformCallsPerHour === null ? 'soft' : 'number'} title="Platform calls">
        {budgetText(key)}
      </span>
    ),
    sortBy: ({ platformCallsPerHour }) => platformCallsPerHour ?? Number.POSITIVE_INFINITY,
  },
  {
    name: 'Created',
    width: '6.25rem',
    wideOnly: true,
    cell: ({ createdAt }) => <RelativeTime iso={createdAt} />,
    sortBy: ({ createdAt }) => Date.parse(createdAt),
  },
  {
    name: 'Expires',
    width: '6.25rem',
    wideOnly: true,
    cell: (key) => <Expiry item={key} />,
    sortBy: ({ expiresAt }) => (expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)),
  },
  {
    name: 'Last used',
    width: '6.25rem',
    cell: ({ lastUsedAt }) => <RelativeTime iso={lastUsedAt} />,
    sortBy: ({ lastUsedAt }) => (lastUsedAt === null ? 0 : Date.parse(lastUsedAt)),
  },
]
