// Asks before a connection is removed, and says what follows: also for the keys that name it.
import type { Connection, Key, RemovedConnection } from '../../answers.ts'
import { ask, at } from '../../api.ts'
import { type Listing, useListing } from '../../listing.ts'
import { listed } from '../../grants.ts'
import { counted } from '../../numbers.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { plainText } from '../../parts/foreign.tsx'
import { tell } from '../../parts/notices.tsx'
import { tellUntold } from '../../untold.ts'

const mostNamed = 10

function sayKeys({ items, state }: Listing<Key>, id: string): string {
  if (state === 'loading') return 'Keys that name it are being counted…'
  if (state === 'failed') return 'Keys that name it could not be counted. They do not read it afterwards.'
  const live = items.filter((key) => key.state === 'active')
  const naming = live.filter((key) => key.connections.includes(id) && !key.endedConnections.includes(id))
  const all = live.filter(({ connections }) => connections.includes('*')).length
  const most = state === 'more' ? `Of the first ${counted(items.length, 'key')}, ` : ''
  const count = naming.length
  const named =
    count === 0 ? 'no active key names it' : `${counted(count, 'active key')} ${count === 1 ? 'names' : 'name'} it`
  const others = all === 0 ? '' : `, and ${counted(all, 'key')} may read every connection`
  const words = `${most}${named}${others}. `
  const names = naming.slice(0, mostNamed).map(({ name }) => plainText(name))
  const shown = listed(count > mostNamed ? [...names, `${count - mostNamed} more`] : names)
  const which = count === 0 ? '' : `Named by ${shown}. `
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${which}Keys that name it do not read a later connection of the same id; keys for every connection do.`
}

interface RemoveProps {
  readonly connection: Connection
  readonly onRemoved: (id: string) => void
  readonly onClose: () => void
}

export function RemoveDialog({ connection: { id, keyId }, onRemoved, onClose }: RemoveProps) {
  const { listing } = useListing<Key>('/keys')
  const act = async () => {
    const removed = await ask<RemovedConnection>(at('/connections', id), { method: 'DELETE' })
    const ended = removed.endedKeys.length
    const follows =
      ended === 0 ? '' : ` ${counted(ended, 'key')} that named it ${ended === 1 ? 'does' : 'do'} not read it any more.`
    if (!tellUntold(`${id} was removed`, removed)) tell(`${id} was removed.${follows}`)
    onRemoved(id)
  }
  return (
    <Confirm title={`Remove ${id}?`} name={id} deed="Remove connection" {...{ act, onClose }}>
      <ul class="connections-follows">
        <li>Reads through it are refused at once, and its cursors do not open again.</li>
        <li>
          The stored key is gone for good. At the platform, key <span class="mono">{keyId}</span> stays as it is: revoke
          it there if nobody else needs it.
        </li>
        <li>
          <span role="status">{sayKeys(listing.value, id)}</span>
        </li>
      </ul>
    </Confirm>
  )
}
