// The columns of the audit log.
import type { AuditLine } from '../../answers.ts'
import { Badge, plainText, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { TableColumn } from '../../../../../base/console/parts/table.tsx'
import { exactTime, timeOfDay } from '../../../../../base/console/format.ts'

const dayOfThisYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** an audit log is read by the clock, not by how long ago something was */
function When({ iso }: { readonly iso: string }) {
  const at = new Date(iso)
  const isOfThisYear = at.getFullYear() === new Date().getFullYear()
  return (
    <time dateTime={iso} title={`${exactTime(iso)} (${iso})`}>
      {isOfThisYear ? `${dayOfThisYear.format(at)}, ${timeOfDay(iso)}` : exactTime(iso)}
    </time>
  )
}

export function detailText(value: AuditLine['details'][string]): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return plainText(typeof value === 'object' ? value.join(', ') : String(value))
}

const brief = ({ details }: AuditLine): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${plainText(name)} ${detailText(value)}`)
    .join(' · ')

export const columns: readonly TableColumn<AuditLine>[] = [
  { name: 'When', width: '9.2rem', cell: ({ at }) => <When iso={at} /> },
  {
    name: 'Action',
    width: 'minmax(9rem, 1fr)',
    cell: ({ act, outcome }) => (
      <>
        {outcome === 'denied' && <Badge tone="bad">denied</Badge>} <UntrustedText mono text={act} />
      </>
    ),
  },
  {
    name: 'Target',
    width: 'minmax(6rem, 0.8fr)',
    wideOnly: true,
    cell: ({ target }) => (target === null ? <span class="soft">–</span> : <UntrustedText mono text={target} />),
  },
  {
    name: 'Who',
    width: 'minmax(8rem, 0.8fr)',
    wideOnly: true,
    cell: ({ who }) => <UntrustedText mono text={who} />,
  },
  {
    name: 'Details',
    width: 'minmax(6rem, 1.4fr)',
    wideOnly: true,
    cell: (line) => <bdi class="soft">{brief(line)}</bdi>,
  },
]
