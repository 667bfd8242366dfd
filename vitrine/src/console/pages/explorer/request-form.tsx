// The form of an operation, as the API describes it; and its actions: send, cancel, show the plan.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { lazy } from '../../../../../base/console/parts/lazy.tsx'
import { useWindowEvent } from '../../../../../base/console/window-event.ts'
import { IdField } from './id-field.tsx'
import type { Form, ParameterForm } from './operation-form.ts'
import { ParameterField } from './parameter-field.tsx'
import { emptyDraft, exampleDraft, type RequestDraft } from './request-draft.ts'
import { askPlan, cancel, send } from './send.ts'
import { faultsOf } from './validation.ts'
import { type ExplorerRequest, setFaults, typeInto, type WorkbenchState } from './workbench-state.ts'

const IdPicker = lazy(() => import('./id-picker.tsx'), 'the list')

function isValid({ form, connection, workbench }: ExplorerRequest): boolean {
  const faults = new Map(faultsOf(form, workbench.draft.peek()))
  if (connection === '') faults.set('', 'Select a connection first.')
  setFaults(workbench, faults)
  return faults.size === 0
}

function openDetails(field: Element) {
  for (const inside of field.querySelectorAll('details')) inside.open = true
  for (let outer = field.closest('details'); outer; outer = outer.parentElement?.closest('details') ?? null)
    outer.open = true
}

/** moves the focus to the first field at fault, once it is drawn */
function useFirstFault({ found }: WorkbenchState) {
  const box = useRef<HTMLFormElement>(null)
  const before = useRef(found.peek())
  useEffect(() => {
    if (found.value === before.current) return
    before.current = found.value
    const faulty = [...(box.current?.querySelectorAll('[data-fault]') ?? [])]
    for (const field of faulty) openDetails(field)
    faulty[0]?.querySelector<HTMLElement>('input, select, summary, button')?.focus()
  }, [found.value])
  return box
}

interface ParametersProps {
  readonly request: ExplorerRequest
  readonly parameters: readonly ParameterForm[]
}

function Parameters({ request: { form, workbench }, parameters }: ParametersProps) {
  const { draft, faults } = workbench
  return (
    <>
      {parameters.map((parameter) => (
        <div key={parameter.name} data-fault={faults.value.has(parameter.name) ? '' : undefined}>
          <ParameterField
            form={form}
            parameter={parameter}
            value={draft.value.query[parameter.name] ?? ''}
            fault={faults.value.get(parameter.name)}
            onInput={(text) => typeInto(workbench, 'query', parameter.name, text)}
          />
        </div>
      ))}
    </>
  )
}

/** required parameters and those of the example come first; the others are behind a disclosure */
function Query({ request }: { readonly request: ExplorerRequest }) {
  const { form, workbench } = request
  const isFirst = ({ name, required }: ParameterForm) => required || Object.hasOwn(form.example.query, name)
  const rest = form.parameters.filter((one) => !isFirst(one))
  const filled = rest.filter(({ name }) => (workbench.draft.value.query[name] ?? '').trim() !== '').length
  return (
    <>
      <Parameters request={request} parameters={form.parameters.filter(isFirst)} />
      {rest.length > 0 && (
        <details class="explorer-more">
          <summary>
            {rest.length} more {rest.length === 1 ? 'parameter' : 'parameters'}
            {filled > 0 && <span class="badge accent">{filled} set</span>}
          </summary>
          <div class="form">
            <Parameters request={request} parameters={rest} />
          </div>
        </details>
      )}
    </>
  )
}

function Actions({ workbench, onPlan }: { readonly workbench: WorkbenchState; readonly onPlan: () => void }) {
  const isBusy = workbench.busy.value !== undefined
  const fault = workbench.faults.value.get('')
  return (
    <div class="explorer-actions">
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <Button kind="main" type="submit" busy={isBusy} aria-keyshortcuts="Control+Enter">
        Send
      </Button>
      {isBusy ? <Button onClick={() => cancel(workbench)}>Cancel</Button> : <Button onClick={onPlan}>Show plan</Button>}
      <span class="soft explorer-keys" aria-hidden="true">
        Ctrl+Enter
      </span>
    </div>
  )
}

interface RequestFormProps {
  readonly forms: readonly Form[]
  readonly request: ExplorerRequest
}

export function RequestForm({ forms, request }: RequestFormProps) {
  const { form, workbench, connection } = request
  const { draft, faults, busy } = workbench
  const box = useFirstFault(workbench)
  const picking = useSignal<string | undefined>(undefined)
  const fill = (filled: RequestDraft) => {
    draft.value = filled
    faults.value = new Map()
    workbench.isLinked.value = false
  }
  const submit = () => {
    if (busy.peek() === undefined && isValid(request)) void send(request)
  }
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return
    event.preventDefault()
    submit()
  })
  const onSubmit = (event: Event) => {
    event.preventDefault()
    submit()
  }
  return (
    <>
      <form ref={box} class="card form explorer-form" aria-label="Request" onSubmit={onSubmit}>
        <div class="explorer-buttons">
          <h2>Request</h2>
          <Button kind="quiet" onClick={() => fill(exampleDraft(form))}>
            Use example
          </Button>
          <Button kind="quiet" onClick={() => fill(emptyDraft)}>
            Clear
          </Button>
        </div>
        {workbench.isLinked.value && (
          <p class="caution" role="status">
            Filled in from a link. Nothing was sent: check the values, then send.
          </p>
        )}
        {form.ids.map((id) => (
          <div key={id.name} data-fault={faults.value.has(id.name) ? '' : undefined}>
            <IdField
              id={id}
              example={form.example.ids[id.name]}
              value={draft.value.ids[id.name] ?? ''}
              fault={faults.value.get(id.name)}
              onInput={(text) => typeInto(workbench, 'ids', id.name, text)}
              onPick={connection === '' ? undefined : () => (picking.value = id.name)}
            />
          </div>
        ))}
        <Query request={request} />
        <Actions workbench={workbench} onPlan={() => isValid(request) && void askPlan(request)} />
      </form>
      {picking.value !== undefined && (
        <IdPicker forms={forms} request={request} name={picking.value} onClose={() => (picking.value = undefined)} />
      )}
    </>
  )
}
