// One image beside the listing: what is known of it, its build log, and its deletion.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask, send } from '../../../../../base/console/api.ts'
import type { UsedListing } from '../../../../../base/console/listing.ts'
import { useLoad } from '../../../../../base/console/load.ts'
import { Button, Copy } from '../../../../../base/console/parts/controls.tsx'
import { Facts, plainText, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { Panel } from '../../../../../base/console/parts/panel.tsx'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import type { Image } from '../../answers.ts'
import { ConfirmDialog } from '../../confirm-dialog.tsx'
import { refresh } from '../../live.ts'
import { mebibytes } from '../../units.ts'
import { BuildLog } from './build-log.tsx'
import { builtIn, ImageState, isBuilding } from './image-state.tsx'

const pathOf = (id: string): string => `/images/${encodeURIComponent(id)}`

interface DeleteProps {
  readonly item: Image
  readonly onDone: () => void
  readonly onClose: () => void
}

function DeleteDialog({ item, onDone, onClose }: DeleteProps) {
  const act = async () => {
    await send(pathOf(item.id), { method: 'DELETE' })
    notify(`Image ${plainText(item.name)} was deleted.`)
    refresh()
    onDone()
  }
  return (
    <ConfirmDialog title="Delete image" action="Delete image" act={act} onClose={onClose}>
      <p>
        <UntrustedText text={item.name} /> is deleted{isBuilding(item) && ', and its build is cancelled'}. Images that
        are built on it stay. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

function argvText(argv: readonly string[] | null): string {
  return argv === null ? 'none' : JSON.stringify(argv)
}

function ImageFacts({ item }: { readonly item: Image }) {
  const { id, scope, status, error, sizeBytes, config, baseImage, createdAt, durationMs } = item
  return (
    <Facts
      of={{
        State: <ImageState status={status} />,
        ...(error && {
          Error: (
            <>
              <UntrustedText text={error.message} />
              {error.step !== null && <span class="soft"> (step {error.step})</span>}
            </>
          ),
        }),
        ID: <span class="mono">{id}</span>,
        Scope: scope === 'base' ? 'base image of the operator' : 'own',
        'Built on': baseImage ? <UntrustedText text={baseImage.name} /> : <span class="soft">nothing</span>,
        Size: sizeBytes === null ? '–' : mebibytes(sizeBytes),
        Entrypoint: <UntrustedText text={argvText(config.entrypoint)} mono />,
        Command: <UntrustedText text={argvText(config.command)} mono />,
        Directory: <UntrustedText text={config.workingDir} mono />,
        User: config.user ?? <span class="soft">default</span>,
        Environment: <UntrustedText text={config.envNames.join(', ') || 'none'} mono />,
        Created: <RelativeTime iso={createdAt} />,
        'Built in': builtIn(durationMs),
      }}
    />
  )
}

interface PanelProps {
  readonly id: string
  readonly images: UsedListing<Image>
  readonly onClose: () => void
}

export function ImagePanel({ id, images, onClose }: PanelProps) {
  const { load, again } = useLoad((signal) => ask<Image>(pathOf(id), { signal }), [id])
  const isDeleting = useSignal(false)
  const { value, refusal } = load.value
  useEffect(() => {
    if (value) images.put(value)
  }, [value])
  const item = value ?? images.listing.value.items.find((one) => one.id === id)
  return (
    <Panel title={item ? <UntrustedText text={item.name} /> : 'Image'} onClose={onClose}>
      {!item && !refusal && <Waiting rows={8} what="the image" />}
      {refusal && <Failed refusal={refusal} again={again} />}
      {item && (
        <>
          <div class="actions images-actions">
            <Copy text={() => id} label="Copy ID" kind="plain" />
            {item.scope === 'own' && (
              <Button kind="danger" onClick={() => (isDeleting.value = true)}>
                Delete
              </Button>
            )}
          </div>
          {item.scope === 'own' && <BuildLog id={id} onEnd={again} />}
          <ImageFacts item={item} />
        </>
      )}
      {item && isDeleting.value && (
        <DeleteDialog
          item={item}
          onDone={() => {
            images.drop(id)
            onClose()
          }}
          onClose={() => (isDeleting.value = false)}
        />
      )}
    </Panel>
  )
}
