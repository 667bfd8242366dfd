// All that is known of one key.
import type { Key } from '../../answers.ts'
import { endedOf, endedWords, hasAllGroups, rateText, seesAll } from '../../grants.ts'
import { groups } from '../../groups.ts'
import { minuteOf } from '../../moments.ts'
import { Copy } from '../../parts/copy.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Link } from '../../parts/link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Ends, State } from './columns.tsx'

/** what the page knows beside the key */
export interface Surroundings {
  /** of all connections; undefined while not all are known */
  readonly connections: ReadonlySet<string> | undefined
  /** those that took over from a key */
  readonly heirsOf: (id: string) => readonly Key[]
  readonly nameOf: (id: string) => string | undefined
  /** whether all keys are here: else nobody knows who has taken over */
  readonly areAllHere: boolean
}

interface FactsProps {
  readonly item: Key
  readonly surroundings: Surroundings
}

const mostNames = 24

function Connections({ item, surroundings: { connections: known } }: FactsProps) {
  if (seesAll(item)) return <>All, later ones too (*)</>
  const more = item.connections.length - mostNames
  const ended = new Set(endedOf(item, known))
  return (
    <span class="keys-marks">
      {item.connections.slice(0, mostNames).map((id) =>
        ended.has(id) ? (
          <span key={id} class="keys-gone" title={endedWords}>
            <Foreign text={id} /> (ended)
          </span>
        ) : (
          <Link key={id} to="/connections" names={{ id }}>
            <Foreign text={id} />
          </Link>
        ),
      )}
      {ended.size > 0 && <p class="soft">{endedWords}</p>}
      {more > 0 && (
        <Link to="/access" names={{ key: item.id }}>
          and {more} more
        </Link>
      )}
    </span>
  )
}

function Heirs({ item, surroundings: { heirsOf, areAllHere } }: FactsProps) {
  const heirs = heirsOf(item.id)
  if (heirs.length === 0) return <span class="soft">{areAllHere ? 'none' : 'not known until all keys are here'}</span>
  return (
    <span class="keys-marks">
      {heirs.map(({ id, name, state }) => (
        <span key={id}>
          <Link to="/keys" names={{ id }}>
            <Foreign text={name} /> <span class="mono">{id}</span>
          </Link>
          {state !== 'active' && ` (${state})`}
        </span>
      ))}
    </span>
  )
}

function Predecessor({ item: { replaces }, surroundings: { nameOf } }: FactsProps) {
  if (replaces === null) return <span class="soft">none</span>
  return (
    <Link to="/keys" names={{ id: replaces }}>
      <Foreign text={nameOf(replaces) ?? ''} /> <span class="mono">{replaces}</span>
    </Link>
  )
}

function Moments({ item }: { readonly item: Key }) {
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = item
  return (
    <>
      <dt>Created</dt>
      <dd>
        <Moment iso={createdAt} /> <span class="soft">{minuteOf(Date.parse(createdAt))}</span>
      </dd>
      <dt>Expires</dt>
      <dd>
        <Ends item={item} /> {expiresAt && <span class="soft">{minuteOf(Date.parse(expiresAt))}</span>}
      </dd>
      {revokedAt && (
        <>
          <dt>Revoked</dt>
          <dd>
            <Moment iso={revokedAt} /> <span class="soft">{minuteOf(Date.parse(revokedAt))}</span>
          </dd>
        </>
      )}
      <dt>Last use</dt>
      <dd>
        <Moment iso={lastUsedAt} /> {lastUsedAt && <span class="soft">some minutes late</span>}
      </dd>
    </>
  )
}

export function Facts(props: FactsProps) {
  const { item } = props
  return (
    <dl class="facts keys-facts">
      <dt>State</dt>
      <dd>
        <State state={item.state} />
      </dd>
      <dt>Id</dt>
      <dd>
        <span class="mono">{item.id}</span> <Copy text={() => item.id} label="Copy id" />
      </dd>
      <dt>Note</dt>
      <dd>{item.note === null ? <span class="soft">none</span> : <Foreign text={item.note} />}</dd>
      <dt>Connections</dt>
      <dd>
        <Connections {...props} />
      </dd>
      <dt>Groups</dt>
      <dd>{hasAllGroups(item) ? `all ${groups.length}` : item.groups.join(', ')}</dd>
      <dt>Rate</dt>
      <dd>{rateText(item)}</dd>
      <Moments item={item} />
      <dt>Replaces</dt>
      <dd>
        <Predecessor {...props} />
      </dd>
      <dt>Replaced by</dt>
      <dd>
        <Heirs {...props} />
      </dd>
    </dl>
  )
}
