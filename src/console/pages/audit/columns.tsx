// The columns of the audit.
import type { AuditLine } from '../../answers.ts'
import { timeOfDay, wholeMoment } from '../../moments.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/column.tsx'
import { Foreign, plainText } from '../../parts/foreign.tsx'

const dayOfThisYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** an audit is read by the clock, not by how long ago something was */
export function When({ iso }: { readonly iso: string }) {
  const at = new Date(iso)
  const isOfThisYear = at.getFullYear() === new Date().getFullYear()
  return (
    <time dateTime={iso} title={`${wholeMoment(iso)} (${iso})`}>
      {isOfThisYear ? `${dayOfThisYear.format(at)}, ${timeOfDay(iso)}` : wholeMoment(iso)}
    </time>
  )
}

type Fact = AuditLine['details'][string]

export function sayFact(value: Fact): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return plainText(typeof value === 'object' ? value.join(', ') : String(value))
}

const brief = ({ details }: AuditLine): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${plainText(name)} ${sayFact(value)}`)
    .join(' · ')

export const columns: readonly Column<AuditLine>[] = [
  { name: 'When', width: '9.2rem', cell: ({ at }) => <When iso={at} /> },
  {
    ...{ name: 'Act', width: 'minmax(9rem, 1fr)' },
    cell: ({ act, outcome }) => (
      <>
        {outcome === 'denied' && <Badge tone="bad">denied</Badge>}{' '}
        <span class="mono">
          <Foreign text={act} />
        </span>
      </>
    ),
  },
  {
    ...{ name: 'Target', width: 'minmax(6rem, 0.8fr)', wideOnly: true },
    cell: ({ target }) =>
      target === null ? (
        <span class="soft">–</span>
      ) : (
        <span class="mono">
          <Foreign text={target} />
        </span>
      ),
  },
  {
    ...{ name: 'Who', width: 'minmax(8rem, 0.8fr)', wideOnly: true },
    cell: ({ who }) => (
      <span class="mono">
        <Foreign text={who} />
      </span>
    ),
  },
  {
    name: 'Details',
    width: 'minmax(6rem, 1.4fr)',
    wideOnly: true,
    cell: (line) => <bdi class="soft">{brief(line)}</bdi>,
  },
]
