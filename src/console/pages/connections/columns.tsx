// The columns of the listing of connections, and what of a connection the filter looks at.
import type { Connection } from '../../answers.ts'
import { finderOf, small } from '../../finding.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/column.tsx'
import { Moment } from '../../parts/moment.tsx'
import { StateBadge, stateRank } from './state.tsx'

/** those that never were, first */
const byMoment = (iso: string | null): string => iso ?? ''

export const columns: readonly Column<Connection>[] = [
  {
    name: 'Id',
    width: 'minmax(7rem, 1.2fr)',
    cell: ({ id }) => <span class="mono">{id}</span>,
    sortBy: ({ id }) => id,
  },
  { name: 'State', width: '8rem', cell: ({ id }) => <StateBadge id={id} />, sortBy: ({ id }) => stateRank(id) },
  {
    name: 'Kind',
    width: '5.5rem',
    wideOnly: true,
    cell: ({ kind }) => <Badge tone="idle">{kind}</Badge>,
    sortBy: ({ kind }) => kind,
  },
  {
    ...{ name: 'Key id', width: 'minmax(6rem, 0.8fr)', wideOnly: true, sortBy: ({ keyId }) => keyId },
    cell: ({ keyId }) => <span class="mono">{keyId}</span>,
  },
  {
    ...{ name: 'Issuer', width: 'minmax(6rem, 1fr)', wideOnly: true, sortBy: ({ issuerId }) => issuerId ?? '' },
    cell: ({ issuerId }) =>
      issuerId === null ? <span class="soft">individual key</span> : <span class="mono">{issuerId}</span>,
  },
  {
    ...{ name: 'Last use', width: '6.5rem', wideOnly: true, sortBy: ({ lastUsedAt }) => byMoment(lastUsedAt) },
    cell: ({ kind, lastUsedAt }) => <Moment iso={lastUsedAt} never={kind === 'managed' ? 'not kept' : 'never'} />,
  },
  {
    ...{ name: 'Replaced', width: '6.5rem', wideOnly: true, sortBy: ({ replacedAt }) => byMoment(replacedAt) },
    cell: ({ kind, replacedAt }) => (kind === 'managed' ? <span class="soft">–</span> : <Moment iso={replacedAt} />),
  },
]

export type Kind = '' | Connection['kind']
export const kinds: readonly (readonly [Kind, string])[] = [
  ['', 'All kinds'],
  ['hosted', 'Hosted'],
  ['managed', 'Managed'],
]

/** found by what names them */
export function matching(items: readonly Connection[], text: string, kind: Kind): readonly Connection[] {
  const isFound = finderOf(text)
  const namesOf = ({ id, keyId, issuerId }: Connection) => small(`${id} ${keyId} ${issuerId ?? 'individual'}`)
  return items.filter((one) => (kind === '' || one.kind === kind) && isFound(namesOf(one)))
}
