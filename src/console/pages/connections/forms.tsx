// The form that is open over the page, if one is.
import type { Connection, StoredConnection } from '../../answers.ts'
import type { UsedListing } from '../../listing.ts'
import { AddDialog } from './add.tsx'
import { forgetCheck } from './checking.ts'
import { closeForm, form } from './draft.ts'
import { open } from './place.ts'
import { ReplaceDialog } from './replace.tsx'

interface FormsProps {
  readonly used: UsedListing<Connection>
  readonly isClosed: boolean
}

export function Forms({ used: { listing, put }, isClosed }: FormsProps) {
  const now = form.value
  const find = (id: string) => listing.peek().items.find((one) => one.id === id)
  const stored = (connection: StoredConnection) => {
    forgetCheck(connection.id)
    put(connection)
  }
  if (now?.what === 'add') {
    const done = (id: string) => {
      closeForm()
      open({ id })
    }
    const isTaken = (id: string) => find(id) !== undefined
    return <AddDialog {...{ isClosed, isTaken, onDone: done, onStored: stored, onClose: closeForm }} />
  }
  // after a session that ended it is there again with the listing
  const subject = now && listing.value.items.find(({ id }) => id === now.id)
  return subject ? <ReplaceDialog {...{ isClosed, now: subject, onStored: stored, onClose: closeForm }} /> : null
}
