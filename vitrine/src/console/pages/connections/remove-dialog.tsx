// Asks before a connection is removed, and lists the consequences, for the keys that name it too.
import type { Connection, Key, RemovedConnection } from '../../answers.ts'
import { listed, readsAll } from '../../facade-key.ts'
import { ask, at } from '../../../../../base/console/api.ts'
import { type Listing, useListing } from '../../../../../base/console/listing.ts'
import { counted } from '../../../../../base/console/format.ts'
import { Confirm } from '../../../../../base/console/parts/dialog.tsx'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { plainText } from '../../../../../base/console/parts/display.tsx'
import { warnOfRevocation } from '../../revocation-warning.ts'

const mostNamed = 10

function keysText({ items, state }: Listing<Key>, id: string): string {
  if (state === 'loading') return 'Counting the keys that name it…'
  if (state === 'failed') return 'The keys that name it could not be counted. They lose access to it.'
  const active = items.filter((key) => key.state === 'active')
  const naming = active.filter((key) => key.connections.includes(id) && !key.endedConnections.includes(id))
  const all = active.filter(readsAll).length
  const count = naming.length
  const named =
    count === 0 ? 'no active key names it' : `${counted(count, 'active key')} ${count === 1 ? 'names' : 'name'} it`
  const others = all === 0 ? '' : `, and ${counted(all, 'key')} can read every connection`
  const some = state === 'more' ? `Of the first ${counted(items.length, 'key')}, ` : ''
  const sentence = `${some}${named}${others}. `
  const names = naming.slice(0, mostNamed).map(({ name }) => plainText(name))
  const shown = listed(count > mostNamed ? [...names, `${count - mostNamed} more`] : names)
  const which = count === 0 ? '' : `Named by ${shown}. `
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${which}Keys that name it cannot read a later connection with the same ID; keys for every connection can.`
}

interface RemoveDialogProps {
  readonly connection: Connection
  readonly onRemoved: (id: string) => void
  readonly onClose: () => void
}

export function RemoveDialog({ connection: { id, keyId }, onRemoved, onClose }: RemoveDialogProps) {
  const { listing } = useListing<Key>('/keys')
  const act = async () => {
    const removed = await ask<RemovedConnection>(at('/connections', id), { method: 'DELETE' })
    const ended = removed.endedKeys.length
    const more = ended === 0 ? '' : ` ${counted(ended, 'key')} that named it can no longer read it.`
    if (!warnOfRevocation(`${id} was removed`, removed)) notify(`${id} was removed.${more}`)
    onRemoved(id)
  }
  return (
    <Confirm title={`Remove ${id}?`} name={id} action="Remove connection" act={act} onClose={onClose}>
      <ul class="connections-consequences">
        <li>Reads through it are rejected immediately, and its cursors become invalid.</li>
        <li>
          The stored key is deleted permanently. Key <span class="mono">{keyId}</span> stays active in App Store
          Connect: revoke it there if nothing else uses it.
        </li>
        <li>
          <span role="status">{keysText(listing.value, id)}</span>
        </li>
      </ul>
    </Confirm>
  )
}
