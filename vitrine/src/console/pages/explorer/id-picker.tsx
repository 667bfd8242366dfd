// Selects an id from the list of another operation. Where that needs an id itself, it is asked for first, in the same dialog.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { Empty, Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { IdField } from './id-field.tsx'
import type { Form } from './operation-form.ts'
import { PickList, useItems } from './pick-list.tsx'
import { givenIds, type RequestDraft } from './request-draft.ts'
import { faultsOf, type RequestFaults } from './validation.ts'
import { type ExplorerRequest, typeInto } from './workbench-state.ts'

interface PickProps {
  readonly forms: readonly Form[]
  readonly connection: string
  /** the operation that lists the ids */
  readonly source: Form
  /** what is known of the ids that the source itself needs */
  readonly known: RequestDraft['ids']
  readonly onPick: (id: string) => void
}

interface SourceIdsProps {
  readonly pick: PickProps
  readonly ids: RequestDraft['ids']
  readonly onChange: (ids: RequestDraft['ids']) => void
  readonly onList: () => void
}

/** the ids that the source needs before it can list */
function SourceIds({ pick, ids, onChange, onList }: SourceIdsProps) {
  const { source, forms } = pick
  const nested = useSignal<string | undefined>(undefined)
  const faults = useSignal<RequestFaults>(new Map())
  const inner = source.ids.find(({ name }) => name === nested.value)
  const from = forms.find(({ operation }) => operation === inner?.from)
  const list = () => {
    faults.value = faultsOf(source, { ids, query: {} })
    if (faults.value.size === 0) onList()
  }
  if (inner && from) {
    const take = (id: string) => {
      onChange({ ...ids, [inner.name]: id })
      nested.value = undefined
    }
    return <Pick {...pick} source={from} known={ids} onPick={take} />
  }
  return (
    <div class="form">
      <p>{source.operation} requires:</p>
      {source.ids.map((id) => (
        <IdField
          key={id.name}
          id={id}
          value={ids[id.name] ?? ''}
          fault={faults.value.get(id.name)}
          example={source.example.ids[id.name]}
          onInput={(text) => onChange({ ...ids, [id.name]: text })}
          onPick={() => (nested.value = id.name)}
        />
      ))}
      <div class="actions">
        <Button kind="main" onClick={list}>
          List
        </Button>
      </div>
    </div>
  )
}

function Pick(props: PickProps) {
  const { connection, source, known, onPick } = props
  const ids = useSignal(known)
  const { found, refusal, busy, read } = useItems(connection, source, ids.value)
  const isReady = () => givenIds(source, { ids: ids.peek(), query: {} }).length === source.ids.length
  const asksForIds = useSignal(!isReady())
  useEffect(() => {
    if (!asksForIds.value) void read(true)
  }, [asksForIds.value])
  if (asksForIds.value)
    return (
      <SourceIds
        pick={props}
        ids={ids.value}
        onChange={(changed) => (ids.value = changed)}
        onList={() => (asksForIds.value = false)}
      />
    )
  const { items = [], cursor } = found.value ?? {}
  return (
    <div class="form explorer-pick">
      {items.length > 0 && <PickList items={items} source={source} onPick={onPick} />}
      {found.value && items.length === 0 && <Empty title={`${source.operation} returned no items.`} />}
      {!found.value && !refusal.value && <Waiting rows={6} what={source.summary} />}
      {refusal.value && (
        <Failed what={`${source.operation} failed.`} refusal={refusal.value} again={() => void read()} />
      )}
      {source.ids.length > 0 && (
        <div class="actions">
          <Button onClick={() => (asksForIds.value = true)}>Change IDs</Button>
        </div>
      )}
      {cursor !== undefined && (
        <div class="explorer-foot">
          <p>{items.length} loaded. More available.</p>
          <Button busy={busy.value} onClick={() => void read()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}

interface IdPickerProps {
  readonly forms: readonly Form[]
  readonly request: ExplorerRequest
  readonly name: string
  readonly onClose: () => void
}

export default function IdPicker({ forms, request, name, onClose }: IdPickerProps) {
  const { form, connection, workbench } = request
  const from = form.ids.find((id) => id.name === name)?.from
  const source = forms.find(({ operation }) => operation === from)
  if (!source) return null
  const take = (id: string) => {
    typeInto(workbench, 'ids', name, id)
    onClose()
  }
  return (
    <Dialog wide title={`Select ${name}`} onClose={onClose}>
      <Pick forms={forms} connection={connection} source={source} known={workbench.draft.value.ids} onPick={take} />
    </Dialog>
  )
}
