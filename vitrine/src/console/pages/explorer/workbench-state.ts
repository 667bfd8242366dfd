// What was typed and what came back, for each operation. In the memory of the page alone, and gone with the session.
import { effect, signal } from '@preact/signals'
import type { Plan } from '../../answers.ts'
import type { ApiRefusal } from '../../../../../base/console/refusal.ts'
import { sessionState } from '../../../../../base/console/session.ts'
import type { Form } from './operation-form.ts'
import type { ReadAnswer } from './read-answer.ts'
import { emptyDraft, type RequestDraft } from './request-draft.ts'
import type { RequestFaults } from './validation.ts'

/** one request, and the pages that it gave so far */
export interface Run {
  readonly connection: string
  readonly draft: RequestDraft
  readonly pages: readonly ReadAnswer[]
  /** addresses of the pictures to show */
  readonly shown: ReadonlySet<string>
  /** when the last page came */
  readonly at: string
}

export type PageTurn = 'first' | 'next'

export interface ReadFailure {
  readonly connection: string
  readonly turn: PageTurn
  readonly refusal: ApiRefusal
  /** undefined: no response came */
  readonly answer: ReadAnswer | undefined
}

export interface PlanState {
  readonly connection: string
  readonly target: string
  readonly plan: Plan | undefined
  readonly refusal: ApiRefusal | undefined
}

export type WorkbenchState = ReturnType<typeof createWorkbench>

/** an operation on a connection, with its state */
export interface ExplorerRequest {
  readonly form: Form
  readonly connection: string
  readonly workbench: WorkbenchState
}

const workbenches = new Map<string, WorkbenchState>()

export interface Chosen {
  readonly connection: string
  readonly operation: string
}

/** for a return to the page by its bare address */
export const lastChosen = signal<Chosen>({ connection: '', operation: '' })

const createWorkbench = () => ({
  draft: signal(emptyDraft),
  /** found before sending, or by the API */
  faults: signal<RequestFaults>(new Map()),
  /** filled by a link, and not sent since */
  isLinked: signal(false),
  /** how often faults were found: each time the focus moves to the first */
  found: signal(0),
  busy: signal<PageTurn | undefined>(undefined),
  run: signal<Run | undefined>(undefined),
  failure: signal<ReadFailure | undefined>(undefined),
  plan: signal<PlanState | undefined>(undefined),
  flight: undefined as AbortController | undefined,
})

export function workbenchOf(operation: string): WorkbenchState {
  const workbench = workbenches.get(operation) ?? createWorkbench()
  workbenches.set(operation, workbench)
  return workbench
}

effect(() => {
  if (sessionState.value.state === 'in') return
  for (const { flight } of workbenches.values()) flight?.abort()
  workbenches.clear()
  lastChosen.value = { connection: '', operation: '' }
})

export function setFaults({ faults, found }: WorkbenchState, now: RequestFaults) {
  faults.value = now
  if (now.size > 0) found.value++
}

export function typeInto({ draft, faults }: WorkbenchState, part: 'ids' | 'query', name: string, text: string) {
  draft.value = { ...draft.value, [part]: { ...draft.value[part], [name]: text } }
  if (faults.value.has(name)) faults.value = new Map([...faults.value].filter(([one]) => one !== name))
}

export function showPictures({ run }: WorkbenchState, urls: readonly string[]) {
  const now = run.peek()
  if (now) run.value = { ...now, shown: new Set([...now.shown, ...urls]) }
}
