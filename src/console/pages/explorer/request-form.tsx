// The form of an operation, made of what the door tells of it; and what one does with it: send, stop, ask for the plan.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { later } from '../../parts/later.tsx'
import { askPlan, cancel, type Question, send } from './asking.ts'
import { blame, type Desk, type as put } from './desk.ts'
import { emptyDraft, exampleDraft } from './draft.ts'
import { faultsOf } from './faults.ts'
import type { Form, ParameterForm } from './forms.ts'
import { IdField } from './id-field.tsx'
import { ParameterField } from './parameter-field.tsx'

const IdPicker = later(() => import('./id-picker.tsx'), { what: 'the list' })

/** whether it may go out */
function check({ form, connection, desk }: Question): boolean {
  const faults = new Map(faultsOf(form, desk.draft.peek()))
  if (connection === '') faults.set('', 'Choose a connection first.')
  blame(desk, faults)
  return faults.size === 0
}

function openFolds(at: Element) {
  for (const inside of at.querySelectorAll('details')) inside.open = true
  for (let fold = at.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) fold.open = true
}

/** to the first field at fault, once it is drawn; no fault stays in a fold */
function useFaults(desk: Desk) {
  const box = useRef<HTMLFormElement>(null)
  const before = useRef(desk.found.peek())
  useEffect(() => {
    if (desk.found.value === before.current) return
    before.current = desk.found.value
    const faulty = [...(box.current?.querySelectorAll('[data-fault]') ?? [])]
    for (const at of faulty) openFolds(at)
    faulty[0]?.querySelector<HTMLElement>('input, select, summary, button')?.focus()
  }, [desk.found.value])
  return box
}

interface PartProps {
  readonly question: Question
  readonly parameters: readonly ParameterForm[]
}

function Parameters({ question: { form, desk }, parameters }: PartProps) {
  return (
    <>
      {parameters.map((parameter) => (
        <div key={parameter.name} data-fault={desk.faults.value.has(parameter.name) ? '' : undefined}>
          <ParameterField
            {...{ form, parameter }}
            value={desk.draft.value.query[parameter.name] ?? ''}
            fault={desk.faults.value.get(parameter.name)}
            onInput={(text) => put(desk, 'query', parameter.name, text)}
          />
        </div>
      ))}
    </>
  )
}

/** what an example fills in, or must be there, stands in front; the rest behind a fold that opens where it holds something */
function Query({ question }: Pick<PartProps, 'question'>) {
  const { form, desk } = question
  const inFront = ({ name, required }: ParameterForm) => required || Object.hasOwn(form.example.query, name)
  const rest = form.parameters.filter((one) => !inFront(one))
  const filled = rest.filter(({ name }) => (desk.draft.value.query[name] ?? '').trim() !== '').length
  return (
    <>
      <Parameters question={question} parameters={form.parameters.filter(inFront)} />
      {rest.length > 0 && (
        <details class="explorer-more">
          <summary>
            {rest.length} more {rest.length === 1 ? 'parameter' : 'parameters'}
            {filled > 0 && <span class="badge glass">{filled} set</span>}
          </summary>
          <div class="form">
            <Parameters question={question} parameters={rest} />
          </div>
        </details>
      )}
    </>
  )
}

function Actions({ question, onPlan }: { readonly question: Question; readonly onPlan: () => void }) {
  const { desk } = question
  const isBusy = desk.busy.value !== undefined
  const fault = desk.faults.value.get('')
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
      {isBusy ? (
        <Button onClick={() => cancel(desk)}>Cancel</Button>
      ) : (
        <Button onClick={onPlan}>What will be asked</Button>
      )}
      <span class="soft explorer-keys" aria-hidden="true">
        Ctrl+Enter
      </span>
    </div>
  )
}

function Filling({ form, desk }: { readonly form: Form; readonly desk: Desk }) {
  const fill = (draft: typeof emptyDraft) => {
    desk.draft.value = draft
    desk.faults.value = new Map()
  }
  return (
    <div class="explorer-filling">
      <h2>Request</h2>
      <Button kind="quiet" onClick={() => fill(exampleDraft(form))}>
        Fill in the example
      </Button>
      <Button kind="quiet" onClick={() => fill(emptyDraft)}>
        Clear
      </Button>
    </div>
  )
}

export function RequestForm({ forms, question }: { readonly forms: readonly Form[]; readonly question: Question }) {
  const { form, desk, connection } = question
  const box = useFaults(desk)
  const picking = useSignal<string | undefined>(undefined)
  const go = (act: (question: Question) => Promise<void>) => {
    if (check(question)) void act(question)
  }
  useSending(() => desk.busy.peek() === undefined && go(send))
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (desk.busy.peek() === undefined) go(send)
  }
  return (
    <>
      <form ref={box} class="card form explorer-form" aria-label="Request" onSubmit={onSubmit}>
        <Filling form={form} desk={desk} />
        {form.ids.map((id) => (
          <div key={id.name} data-fault={desk.faults.value.has(id.name) ? '' : undefined}>
            <IdField
              {...{ id, example: form.example.ids[id.name] }}
              value={desk.draft.value.ids[id.name] ?? ''}
              fault={desk.faults.value.get(id.name)}
              onInput={(text) => put(desk, 'ids', id.name, text)}
              onPick={connection === '' ? undefined : () => (picking.value = id.name)}
            />
          </div>
        ))}
        <Query question={question} />
        <Actions question={question} onPlan={() => go(askPlan)} />
      </form>
      {picking.value !== undefined && (
        <IdPicker {...{ forms, question, name: picking.value }} onClose={() => (picking.value = undefined)} />
      )}
    </>
  )
}

/** from anywhere on the page, save out of a dialog */
function useSending(act: () => unknown) {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
