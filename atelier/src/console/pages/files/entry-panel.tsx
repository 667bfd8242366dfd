// One file beside the listing: what is known of it, download and removal.
import { useSignal } from '@preact/signals'
import { queryOf, send } from '../../../../../base/console/api.ts'
import { whole } from '../../../../../base/console/format.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Facts, plainText, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { Panel } from '../../../../../base/console/parts/panel.tsx'
import type { FolderEntry } from '../../answers.ts'
import { ConfirmDialog } from '../../confirm-dialog.tsx'
import { Download } from './download.tsx'
import { EntryName, pathOf, shownName } from './entry-text.tsx'

interface RemoveProps {
  readonly containerId: string
  readonly path: string
  /** with all that is in it */
  readonly isFolder?: boolean
  readonly onDone: () => void
}

export function Remove({ containerId, path, isFolder = false, onDone }: RemoveProps) {
  const isAsking = useSignal(false)
  const title = isFolder ? 'Delete folder' : 'Delete file'
  const act = async () => {
    const query = queryOf({ containerId, path, ...(isFolder && { recursive: 'true' }) })
    await send(`/containers/files${query}`, { method: 'DELETE' })
    notify(`${plainText(path)} was deleted.`)
    onDone()
  }
  return (
    <>
      <Button kind="danger" onClick={() => (isAsking.value = true)}>
        {title}
      </Button>
      {isAsking.value && (
        <ConfirmDialog title={title} action={title} act={act} onClose={() => (isAsking.value = false)}>
          <p>
            <UntrustedText text={path} mono />
            {isFolder ? ' and everything in it is deleted.' : ' is deleted.'} This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface PanelProps {
  readonly containerId: string
  readonly folder: string
  readonly entry: FolderEntry
  readonly onRemoved: () => void
  readonly onClose: () => void
}

export function EntryPanel({ containerId, folder, entry, onRemoved, onClose }: PanelProps) {
  const path = pathOf(folder, entry.name)
  const place = { containerId, path }
  return (
    <Panel title={<EntryName entry={entry} />} onClose={onClose}>
      {entry.isReachable ? (
        <div class="actions files-actions">
          {entry.type === 'file' && <Download key={path} {...place} name={entry.name} />}
          <Remove {...place} onDone={onRemoved} />
        </div>
      ) : (
        <p>No path can name this entry. The folder as a tar holds it, and commands in the container reach it.</p>
      )}
      <Facts
        of={{
          Name: <UntrustedText text={shownName(entry)} mono />,
          Kind: entry.type,
          Size: `${whole(entry.sizeBytes)} bytes`,
          Mode: <span class="mono">{entry.mode}</span>,
          Modified: <RelativeTime iso={entry.modifiedAt} />,
        }}
      />
    </Panel>
  )
}
