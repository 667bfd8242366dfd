// Picks an id from the list of another operation. Where that needs an id itself, it is asked for first, in the same place.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import type { Question } from './asking.ts'
import { type as put } from './desk.ts'
import { type Draft, givenIds } from './draft.ts'
import { faultsOf } from './faults.ts'
import type { Form } from './forms.ts'
import { IdField } from './id-field.tsx'
import { PickList, useFound } from './pick-list.tsx'

interface PickProps {
  readonly forms: readonly Form[]
  readonly connection: string
  /** the operation that lists the ids */
  readonly source: Form
  /** what is known of the ids that the source itself needs */
  readonly known: Draft['ids']
  readonly onPick: (id: string) => void
}

/** the source's own ids, before it can be asked */
function Needed({
  props,
  ids,
  put: set,
  onGo,
}: {
  props: PickProps
  ids: Draft['ids']
  put: (name: string, id: string) => void
  onGo: () => void
}) {
  const { source, forms } = props
  const nested = useSignal<string | undefined>(undefined)
  const faults = useSignal<ReadonlyMap<string, string>>(new Map())
  const inner = source.ids.find(({ name }) => name === nested.value)
  const from = forms.find(({ operation }) => operation === inner?.from)
  const go = () => {
    faults.value = faultsOf(source, { ids, query: {} })
    if (faults.value.size === 0) onGo()
  }
  if (inner && from)
    return (
      <Pick
        {...{ ...props, source: from, known: ids }}
        onPick={(id) => {
          set(inner.name, id)
          nested.value = undefined
        }}
      />
    )
  return (
    <div class="form">
      <p>{source.operation} needs to know where to look.</p>
      {source.ids.map((id) => (
        <IdField
          key={id.name}
          {...{ id, value: ids[id.name] ?? '', fault: faults.value.get(id.name), example: source.example.ids[id.name] }}
          onInput={(text) => set(id.name, text)}
          onPick={() => (nested.value = id.name)}
        />
      ))}
      <div class="actions">
        <Button kind="main" onClick={go}>
          List them
        </Button>
      </div>
    </div>
  )
}

function Pick(props: PickProps) {
  const { connection, source, known, onPick } = props
  const ids = useSignal(known)
  const { found, refusal, busy, read } = useFound(connection, source, ids.value)
  const isReady = () => givenIds(source, { ids: ids.peek(), query: {} }).length === source.ids.length
  const asks = useSignal(!isReady())
  useEffect(() => {
    if (!asks.value) void read(true)
  }, [asks.value])
  if (asks.value)
    return (
      <Needed
        props={props}
        ids={ids.value}
        put={(name, id) => (ids.value = { ...ids.value, [name]: id })}
        onGo={() => (asks.value = false)}
      />
    )
  const { items = [], cursor } = found.value ?? {}
  return (
    <div class="form explorer-pick">
      {items.length > 0 && <PickList {...{ items, source, onPick }} />}
      {found.value && items.length === 0 && <Empty title={`${source.operation} lists none.`} />}
      {!found.value && !refusal.value && <Waiting rows={6} what={source.summary} />}
      {refusal.value && (
        <Failed what={`${source.operation} could not be read.`} refusal={refusal.value} again={() => void read()} />
      )}
      {source.ids.length > 0 && (
        <div class="actions">
          <Button onClick={() => (asks.value = true)}>Look elsewhere</Button>
        </div>
      )}
      {cursor !== undefined && (
        <div class="explorer-foot">
          <p>{items.length} of more.</p>
          <Button busy={busy.value} onClick={() => void read()}>
            Read more
          </Button>
        </div>
      )}
    </div>
  )
}

interface IdPickerProps {
  readonly forms: readonly Form[]
  readonly question: Question
  /** of the id that is wanted */
  readonly name: string
  readonly onClose: () => void
}

export default function IdPicker({ forms, question, name, onClose }: IdPickerProps) {
  const { form, connection, desk } = question
  const from = form.ids.find((id) => id.name === name)?.from
  const source = forms.find(({ operation }) => operation === from)
  if (!source) return null
  return (
    <Dialog wide title={`Pick one for ${name}`} onClose={onClose}>
      <Pick
        {...{ forms, connection, source, known: desk.draft.value.ids }}
        onPick={(id) => {
          put(desk, 'ids', name, id)
          onClose()
        }}
      />
    </Dialog>
  )
}
