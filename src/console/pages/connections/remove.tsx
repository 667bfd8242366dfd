// Asks before a connection is removed, and says what follows: also for the keys that name it.
import type { Connection, Key, RemovedConnection } from '../../answers.ts'
import { ask, at } from '../../api.ts'
import { type Listing, useListing } from '../../listing.ts'
import { counted } from '../../numbers.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tell } from '../../parts/notices.tsx'
import { tellUntold } from '../../untold.ts'

function sayKeys({ items, state }: Listing<Key>, id: string): string {
  if (state === 'loading') return 'Keys that name it are being counted…'
  if (state === 'failed') return 'Keys that name it could not be counted. They keep the name.'
  const live = items.filter((key) => key.state === 'active')
  const naming = live.filter(({ connections }) => connections.includes(id)).length
  const all = live.filter(({ connections }) => connections.includes('*')).length
  const most = state === 'more' ? `Of the first ${counted(items.length, 'key')}, ` : ''
  const named =
    naming === 0 ? 'no active key names it' : `${counted(naming, 'active key')} ${naming === 1 ? 'names' : 'name'} it`
  const others = all === 0 ? '' : `, and ${counted(all, 'key')} may read every connection`
  const words = `${most}${named}${others}. `
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}Keys keep the name, and read a later connection of the same id.`
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
    if (!tellUntold(`${id} was removed`, removed)) tell(`${id} was removed.`)
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
