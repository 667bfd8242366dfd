// Makes a folder: a tar without entries is written where it shall be.
import { useSignal } from '@preact/signals'
import { queryOf, send } from '../../../../../base/console/api.ts'
import { useAction } from '../../../../../base/console/load.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { TextField } from '../../../../../base/console/parts/field.tsx'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { pathOf } from './entry-text.tsx'

/** two blocks of zeros */
const emptyTar = () => new Blob([new Uint8Array(1_024)])

interface NewFolderProps {
  readonly containerId: string
  readonly folder: string
  readonly onMade: (path: string) => void
  readonly onClose: () => void
}

export function NewFolder({ containerId, folder, onMade, onClose }: NewFolderProps) {
  const name = useSignal('')
  const fault = useSignal<string | undefined>(undefined)
  const { busy, refusal, run } = useAction()
  const submit = async (event: Event) => {
    event.preventDefault()
    const isName = name.value !== '' && !name.value.includes('/')
    fault.value = isName ? undefined : 'Enter a name without a slash.'
    if (!isName) return
    const path = pathOf(folder, name.value)
    const query = queryOf({ containerId, path, createParents: 'true' })
    const headers = { 'content-type': 'application/x-tar' }
    const made = await run(() => send(`/containers/files${query}`, { method: 'PUT', content: emptyTar(), headers }))
    if (made) onMade(path)
  }
  return (
    <Dialog title="New folder" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" value={name.value} fault={fault.value} onInput={(text) => (name.value = text)} />
        {refusal.value && <Failed refusal={refusal.value} />}
        <div class="actions">
          <Button kind="main" type="submit" busy={busy.value}>
            Create folder
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
