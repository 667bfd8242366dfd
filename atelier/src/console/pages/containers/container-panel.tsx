// One container beside the listing: what is known of it, and what can be done with it.
import { useSignal } from '@preact/signals'
import { ask, queryOf } from '../../../../../base/console/api.ts'
import { useLoad } from '../../../../../base/console/load.ts'
import { Button, Copy, Link } from '../../../../../base/console/parts/controls.tsx'
import { plainText, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { notify } from '../../../../../base/console/parts/notices.tsx'
import { Panel } from '../../../../../base/console/parts/panel.tsx'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { product } from '../../../../../base/console/product.ts'
import type { Container } from '../../answers.ts'
import { ConfirmDialog } from '../../confirm-dialog.tsx'
import { ContainerName, nameOf } from '../../container-state.tsx'
import { containers, refresh } from '../../live.ts'
import { ContainerFacts } from './container-facts.tsx'
import { RunCommand } from './run-command.tsx'

interface DeleteProps {
  readonly item: Container
  readonly onDone: () => void
  readonly onClose: () => void
}

function DeleteDialog({ item, onDone, onClose }: DeleteProps) {
  const act = async () => {
    await ask(`/containers${queryOf({ id: item.id })}`, { method: 'DELETE' })
    notify(`Container ${plainText(nameOf(item))} was deleted.`)
    refresh()
    onDone()
  }
  return (
    <ConfirmDialog title="Delete container" action="Delete container" act={act} onClose={onClose}>
      <p>
        <ContainerName item={item} /> and its files are deleted. Commands and connections in it end. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  )
}

/** pages that are reached from a container: each takes its id */
function PageLinks({ id }: { readonly id: string }) {
  const pages = Object.entries(product().pages).filter(([, { parent }]) => parent === '/console/containers')
  return (
    <>
      {pages.map(([path, { title }]) => (
        <Link key={path} to={path} names={{ id }} class="button">
          {title}
        </Link>
      ))}
    </>
  )
}

/** one that is not listed any more, such as one that was deleted */
function useContainer(id: string) {
  const listed = containers.value?.find((one) => one.id === id)
  const isMissing = containers.value !== undefined && !listed
  const { load, again } = useLoad(
    async (signal) =>
      isMissing
        ? (await ask<{ items: readonly Container[] }>(`/containers${queryOf({ id })}`, { signal })).items[0]
        : undefined,
    [id, isMissing],
  )
  const { value, refusal } = load.value
  return { item: listed ?? value, refusal: listed ? undefined : refusal, again }
}

interface PanelProps {
  readonly id: string
  readonly onClose: () => void
}

export function ContainerPanel({ id, onClose }: PanelProps) {
  const { item, refusal, again } = useContainer(id)
  const isDeleting = useSignal(false)
  const isRunning = item?.status === 'running'
  return (
    <Panel title={item ? <UntrustedText text={nameOf(item)} /> : 'Container'} onClose={onClose}>
      {!item && !refusal && <Waiting rows={8} what="the container" />}
      {!item && refusal && <Failed refusal={refusal} again={again} />}
      {item && (
        <>
          <div class="actions containers-actions">
            {isRunning && <PageLinks id={id} />}
            <Copy text={() => id} label="Copy ID" kind="plain" />
            {item.status !== 'deleted' && (
              <Button kind="danger" onClick={() => (isDeleting.value = true)}>
                Delete
              </Button>
            )}
          </div>
          {isRunning && <RunCommand id={id} />}
          <ContainerFacts item={item} />
        </>
      )}
      {item && isDeleting.value && (
        <DeleteDialog item={item} onDone={onClose} onClose={() => (isDeleting.value = false)} />
      )}
    </Panel>
  )
}
