// The files of one container: a folder at a time, with uploads, downloads and removal.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ask, queryOf } from '../../../../../base/console/api.ts'
import { counted, whole } from '../../../../../base/console/format.ts'
import { useLoad } from '../../../../../base/console/load.ts'
import { Button, Link } from '../../../../../base/console/parts/controls.tsx'
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Empty, Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { Table } from '../../../../../base/console/parts/table.tsx'
import { go, route } from '../../../../../base/console/router.ts'
import { useWindowEvent } from '../../../../../base/console/window-event.ts'
import type { Folder, FolderEntry } from '../../answers.ts'
import { ContainerLine } from '../../container-line.tsx'
import { containers } from '../../live.ts'
import { columns } from './columns.tsx'
import { Download } from './download.tsx'
import { EntryPanel, Remove } from './entry-panel.tsx'
import { pathOf } from './entry-text.tsx'
import { NewFolder } from './new-folder.tsx'
import { createUploads, type UploadQueue } from './upload-queue.ts'
import { Uploads } from './uploads.tsx'
import './files.css'

const firstEntries = 2_000
const mostEntries = 20_000

const idOf = ({ name, nameBase64 }: FolderEntry): string => nameBase64 ?? `/${name}`
const levelsOf = (path: string): string[] => path.split('/').filter((one) => one !== '')
const open = (id: string, path: string) => go('/console/files', { id, path })

interface PlaceProps {
  readonly id: string
  readonly path: string
}

function Trail({ id, path }: PlaceProps) {
  const levels = levelsOf(path)
  return (
    <nav class="files-trail" aria-label="Folder">
      <Link to="/console/files" names={{ id, path: '/' }} aria-label="The root folder">
        /
      </Link>
      {levels.map((level, i) => (
        <span key={i}>
          {i > 0 && ' / '}
          <Link to="/console/files" names={{ id, path: `/${levels.slice(0, i + 1).join('/')}` }}>
            <UntrustedText text={level} />
          </Link>
        </span>
      ))}
    </nav>
  )
}

interface ActionsProps extends PlaceProps {
  readonly queue: UploadQueue
  readonly onRemoved: () => void
}

function Actions({ id, path, queue, onRemoved }: ActionsProps) {
  const picker = useRef<HTMLInputElement>(null)
  const isMaking = useSignal(false)
  const name = levelsOf(path).at(-1) ?? 'root'
  const pick = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    queue.add([...(currentTarget.files ?? [])], path)
    currentTarget.value = ''
  }
  return (
    <div class="actions files-actions">
      <input ref={picker} type="file" multiple hidden aria-label="Files to upload" onChange={pick} />
      <Button kind="main" onClick={() => picker.current?.click()}>
        Upload files
      </Button>
      <Button onClick={() => (isMaking.value = true)}>New folder</Button>
      <Download key={path} containerId={id} path={path} name={name} isTree />
      {path !== '/' && <Remove containerId={id} path={path} isFolder onDone={onRemoved} />}
      {isMaking.value && (
        <NewFolder
          containerId={id}
          folder={path}
          onMade={(made) => {
            isMaking.value = false
            open(id, made)
          }}
          onClose={() => (isMaking.value = false)}
        />
      )}
    </div>
  )
}

interface ListProps {
  readonly folder: Folder
  readonly chosen: Signal<FolderEntry | undefined>
  readonly onOpen: (entry: FolderEntry) => void
  readonly onShowAll: () => void
}

function List({ folder, chosen, onOpen, onShowAll }: ListProps) {
  const { entries, total, isComplete } = folder
  if (total === 0) return <Empty title="This folder is empty." />
  return (
    <>
      <Table
        label="Files"
        columns={columns}
        items={entries}
        idOf={idOf}
        isChosen={(entry) => chosen.value !== undefined && idOf(entry) === idOf(chosen.value)}
        onOpen={onOpen}
      />
      <p class="listing-status" role="status">
        {isComplete
          ? counted(total, 'entry', 'entries')
          : `Only ${whole(entries.length)} of ${whole(total)} entries are shown. `}
        {!isComplete && entries.length < mostEntries && <Button onClick={onShowAll}>Show all</Button>}
      </p>
    </>
  )
}

/** files that are dropped anywhere on the page; a folder cannot be read as a file */
function useDrop(drop: (files: readonly File[], folders: number) => void) {
  const isOver = useSignal(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
  useWindowEvent('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    isOver.value = true
  })
  useWindowEvent('dragleave', (event) => event.relatedTarget === null && (isOver.value = false))
  useWindowEvent('drop', (event) => {
    isOver.value = false
    if (!hasFiles(event)) return
    event.preventDefault()
    const items = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file')
    const files = items.filter((item) => item.webkitGetAsEntry()?.isDirectory !== true)
    const found = files.map((item) => item.getAsFile()).filter((file) => file !== null)
    drop(found, items.length - files.length)
  })
  return isOver
}

function useUploads(id: string, again: () => void) {
  const latest = useRef(again)
  latest.current = again
  const queue = useMemo(() => createUploads(id, () => latest.current()), [id])
  useEffect(() => () => queue.close(), [queue])
  const isSending = queue.all.value.some(({ state }) => state === 'waiting' || state === 'sending')
  useWindowEvent('beforeunload', (event) => event.preventDefault(), { isActive: isSending })
  return queue
}

function Browser({ id, path }: PlaceProps) {
  const limit = useSignal(firstEntries)
  const chosen = useSignal<FolderEntry | undefined>(undefined)
  const folders = useSignal(0)
  const query = queryOf({ containerId: id, path, limit: limit.value })
  const { load, again } = useLoad((signal) => ask<Folder>(`/containers/files/entries${query}`, { signal }), [query])
  const queue = useUploads(id, again)
  const isOver = useDrop((files, dropped) => {
    folders.value = dropped
    queue.add(files, path)
  })
  useEffect(() => void (chosen.value = undefined), [path])
  const { value, refusal } = load.value
  const shown = value?.path === path ? value : undefined
  const onOpen = (entry: FolderEntry) => {
    if (entry.type === 'directory' && entry.isReachable) open(id, pathOf(path, entry.name))
    else chosen.value = entry
  }
  const onRemoved = () => {
    chosen.value = undefined
    again()
  }
  const parent = `/${levelsOf(path).slice(0, -1).join('/')}`
  return (
    <div class={isOver.value ? 'files drop' : 'files'}>
      <Trail id={id} path={path} />
      <Actions id={id} path={path} queue={queue} onRemoved={() => open(id, parent)} />
      <p class="hint">Files that you drop on this page are uploaded into this folder.</p>
      {folders.value > 0 && <p role="alert">Folders cannot be dropped: {counted(folders.value, 'folder')} left out.</p>}
      <Uploads queue={queue} />
      {refusal && <Failed refusal={refusal} again={again} what="The folder could not be read." />}
      <div class="split">
        <div>
          {shown && (
            <List folder={shown} chosen={chosen} onOpen={onOpen} onShowAll={() => (limit.value = mostEntries)} />
          )}
          {!shown && !refusal && <Waiting rows={8} what="files" />}
        </div>
        {chosen.value && (
          <EntryPanel
            key={idOf(chosen.value)}
            containerId={id}
            folder={path}
            entry={chosen.value}
            onRemoved={onRemoved}
            onClose={() => (chosen.value = undefined)}
          />
        )}
      </div>
    </div>
  )
}

export default function Files() {
  const { query } = route.value
  const id = query.get('id')
  const item = containers.value?.find((one) => one.id === id)
  const path = query.get('path') ?? item?.workingDir ?? (containers.value && '/')
  if (id === null)
    return (
      <Empty title="No container is chosen.">
        <Link to="/console/containers" class="button">
          Choose a container
        </Link>
      </Empty>
    )
  return (
    <>
      <ContainerLine id={id} />
      {path === undefined ? <Waiting rows={8} what="files" /> : <Browser key={id} id={id} path={path} />}
    </>
  )
}
