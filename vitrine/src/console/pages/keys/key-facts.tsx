// What is known of one key.
import { useSignal } from '@preact/signals'
import type { Connection, Key } from '../../answers.ts'
import { budgetText, endedOf, endedWords, hasAllGroups, rateText, readsAll } from '../../facade-key.ts'
import { groups } from '../../../catalogue/groups.ts'
import type { Listing } from '../../../../../base/console/listing.ts'
import { Button, Copy, Link } from '../../../../../base/console/parts/controls.tsx'
import { Facts, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { minuteOf } from '../../../../../base/console/format.ts'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { AppChips } from './app-chips.tsx'
import { useApps } from './apps.ts'
import { Expiry, State } from './columns.tsx'

interface KeyFactsProps {
  readonly item: Key
  readonly keys: Listing<Key>
  readonly connections: Listing<Connection>
}

const mostNames = 24

function Connections({ item, connections }: KeyFactsProps) {
  // unknown while not all are loaded
  const known = connections.readAt === undefined ? undefined : new Set(connections.items.map(({ id }) => id))
  if (readsAll(item)) return <>All (*), including later ones</>
  const more = item.connections.length - mostNames
  const ended = new Set(endedOf(item, known))
  return (
    <span class="keys-links">
      {item.connections.slice(0, mostNames).map((id) =>
        ended.has(id) ? (
          <span key={id} class="keys-ended" title={endedWords}>
            <UntrustedText text={id} /> (unavailable)
          </span>
        ) : (
          <Link key={id} to="/connections" names={{ id }}>
            <UntrustedText text={id} />
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

function KeyLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Link to="/keys" names={{ id }}>
      <UntrustedText text={name} /> <span class="mono">{id}</span>
    </Link>
  )
}

function Replacements({ item, keys: { items, readAt } }: KeyFactsProps) {
  const replacements = items.filter(({ replaces }) => replaces === item.id)
  if (replacements.length === 0)
    return <span class="soft">{readAt === undefined ? 'unknown until all keys are loaded' : 'none'}</span>
  return (
    <span class="keys-links">
      {replacements.map(({ id, name, state }) => (
        <span key={id}>
          <KeyLink id={id} name={name} />
          {state !== 'active' && ` (${state})`}
        </span>
      ))}
    </span>
  )
}

/** names cost platform calls, so they are read when asked for */
function Apps({ item: { apps: ids, connections } }: { readonly item: Key }) {
  const isNamed = useSignal(false)
  const { apps, refusals, busy, again } = useApps(isNamed.value ? connections : undefined)
  if (ids === null) return <>all</>
  return (
    <span>
      <AppChips ids={ids} apps={apps} />
      {!readsAll({ connections }) && !isNamed.value && (
        <Button kind="quiet" onClick={() => (isNamed.value = true)}>
          Show names
        </Button>
      )}
      {isNamed.value && busy && <Waiting rows={1} what="apps" />}
      {refusals.map(({ id, refusal }) => (
        <Failed key={id} refusal={refusal} again={again} what={`The apps of ${id} could not be listed.`} />
      ))}
    </span>
  )
}

const Exactly = ({ iso }: { readonly iso: string | null }) =>
  iso === null ? null : <span class="soft">{minuteOf(Date.parse(iso))}</span>

export function KeyFacts(props: KeyFactsProps) {
  const { item, keys } = props
  const { id, state, note, createdAt, expiresAt, revokedAt, lastUsedAt, replaces } = item
  const inTime = (iso: string | null) => (
    <>
      <RelativeTime iso={iso} /> <Exactly iso={iso} />
    </>
  )
  const facts = {
    State: <State state={state} />,
    ID: (
      <>
        <span class="mono">{id}</span> <Copy text={() => id} label="Copy ID" />
      </>
    ),
    Note: note === null ? <span class="soft">none</span> : <UntrustedText text={note} />,
    Connections: <Connections {...props} />,
    Groups: hasAllGroups(item) ? `all ${groups.length}` : item.groups.join(', '),
    Apps: <Apps item={item} />,
    'Personal data': item.personal ? 'shown' : 'not shown',
    'Rate limit': rateText(item),
    'Platform calls': budgetText(item),
    Created: inTime(createdAt),
    Expires: (
      <>
        <Expiry item={item} /> <Exactly iso={expiresAt} />
      </>
    ),
    ...(revokedAt && { Revoked: inTime(revokedAt) }),
    'Last used': (
      <>
        <RelativeTime iso={lastUsedAt} /> {lastUsedAt && <span class="soft">can lag by some minutes</span>}
      </>
    ),
    Replaces:
      replaces === null ? (
        <span class="soft">none</span>
      ) : (
        <KeyLink id={replaces} name={keys.items.find((one) => one.id === replaces)?.name ?? ''} />
      ),
    'Replaced by': <Replacements {...props} />,
  }
  return <Facts of={facts} />
}
