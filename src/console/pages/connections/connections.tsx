// The connections: all of them, narrowed and sorted at once; one opens beside them; a hosted one is added.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Connection, Vault } from '../../answers.ts'
import { ask } from '../../api.ts'
import { useListing } from '../../listing.ts'
import { useLoad } from '../../load.ts'
import { forgetCheck } from './checking.ts'
import './connections.css'
import { Details } from './details.tsx'
import { leaveOff, openForm, takeUp } from './draft.ts'
import { useFollowing } from './following.ts'
import { Forms } from './forms.tsx'
import { useDropOnPage } from './key-ways.tsx'
import { List } from './list.tsx'
import { chosenId, close } from './place.ts'
import { RemoveDialog } from './remove.tsx'
import { place } from '../../router.ts'

export default function Connections() {
  const used = useListing<Connection>('/connections')
  const { load } = useLoad((signal) => ask<Vault>('/vault', { signal }), [])
  useFollowing(used)
  useDropOnPage(() => openForm({ what: 'add' }))
  const removing = useSignal<Connection | undefined>(undefined)
  const chosen = chosenId()
  useEffect(() => {
    takeUp()
    return leaveOff
  }, [])
  const removed = (id: string) => {
    removing.value = undefined
    forgetCheck(id)
    used.drop(id)
    // whoever has gone on meanwhile is not called back
    if (place.peek().path === '/connections' && chosenId() === id) close()
  }
  const known = used.listing.value.items.find(({ id }) => id === chosen)
  const replace = ({ id, issuerId }: Connection) =>
    openForm({ what: 'replace', id }, { ofTeam: issuerId !== null, issuerId: issuerId ?? '' })
  return (
    <>
      <div class="beside">
        <List {...{ used, chosen }} />
        {chosen !== undefined && (
          <Details
            key={chosen}
            {...{ id: chosen, known, onReplace: replace, onClose: close }}
            onRemove={(one) => void (removing.value = one)}
          />
        )}
      </div>
      <Forms used={used} isClosed={load.value.value?.writes === null} />
      {removing.value && (
        <RemoveDialog
          connection={removing.value}
          onRemoved={removed}
          onClose={() => void (removing.value = undefined)}
        />
      )}
    </>
  )
}
