// The connections: a listing, the one that is open beside it, and the forms over it.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Connection, StoredConnection, Vault } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { type UsedListing, useListing } from '../../../../../base/console/listing.ts'
import { useLoad } from '../../../../../base/console/load.ts'
import { route } from '../../../../../base/console/router.ts'
import { mayDo } from '../../../../../base/console/session.ts'
import { ids, isComplete } from '../../store.ts'
import { AddDialog } from './add-dialog.tsx'
import './connections.css'
import { Details } from './details.tsx'
import { closeForm, leavePage, openedForm, openForm, restoreForm } from './form-state.ts'
import { forgetCheck } from './key-check.ts'
import { useDropOnPage } from './key-input.tsx'
import { close, List, open, openId } from './list.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'

/** what was done here is reported a moment later */
const delayMs = 3_000

/** loads the listing again where the service reports other connections than it has: others add and remove them too */
function useFollowing({ listing, again }: UsedListing<Connection>) {
  const reported = isComplete.value ? ids.value : undefined
  useEffect(() => {
    if (!reported) return undefined
    const timer = setTimeout(() => {
      const { items, state } = listing.peek()
      if (state !== 'whole' || document.querySelector('dialog[open]')) return
      const known = new Set(items.map(({ id }) => id))
      if (known.size !== reported.length || reported.some((id) => !known.has(id))) again()
    }, delayMs)
    return () => clearTimeout(timer)
  }, [reported])
}

interface FormsProps {
  readonly used: UsedListing<Connection>
  readonly hasMasterKey: boolean
}

function Forms({ used: { listing, put }, hasMasterKey }: FormsProps) {
  const form = openedForm.value
  const onStored = (connection: StoredConnection) => {
    forgetCheck(connection.id)
    put(connection)
  }
  const common = { hasMasterKey, onStored, onClose: closeForm }
  if (form?.what === 'add') {
    const onDone = (id: string) => {
      closeForm()
      open({ id })
    }
    const isTaken = (id: string) => listing.peek().items.some((one) => one.id === id)
    return <AddDialog {...common} isTaken={isTaken} onDone={onDone} />
  }
  // after a session that ended it is there again with the listing
  const connection = form && listing.value.items.find(({ id }) => id === form.id)
  return connection ? <ReplaceDialog {...common} now={connection} /> : null
}

export default function Connections() {
  const used = useListing<Connection>('/connections')
  const { load } = useLoad((signal) => ask<Vault>('/vault', { signal }), [])
  useFollowing(used)
  useDropOnPage(() => {
    if (mayDo('createConnection')) openForm({ what: 'add' })
  })
  const removing = useSignal<Connection | undefined>(undefined)
  const chosen = openId()
  useEffect(() => {
    restoreForm()
    return leavePage
  }, [])
  const onRemoved = (id: string) => {
    removing.value = undefined
    forgetCheck(id)
    used.drop(id)
    // an operator who has moved on stays where they are
    if (route.peek().path === '/connections' && openId() === id) close()
  }
  const onReplace = ({ id, issuerId }: Connection) =>
    openForm({ what: 'replace', id }, { ofTeam: issuerId !== null, issuerId: issuerId ?? '' })
  return (
    <>
      <div class="split">
        <List used={used} chosen={chosen} />
        {chosen !== undefined && (
          <Details
            key={chosen}
            id={chosen}
            known={used.listing.value.items.find(({ id }) => id === chosen)}
            onReplace={onReplace}
            onRemove={(connection) => (removing.value = connection)}
            onClose={close}
          />
        )}
      </div>
      <Forms used={used} hasMasterKey={load.value.value?.writes !== null} />
      {removing.value && (
        <RemoveDialog connection={removing.value} onRemoved={onRemoved} onClose={() => (removing.value = undefined)} />
      )}
    </>
  )
}
