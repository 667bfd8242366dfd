// Which form is open, and what is typed in it. It outlives a session that ends meanwhile, for the same operator only; the private
// key does not, and nothing of it is here.
import { signal } from '@preact/signals'
import { operator, sessionState } from '../../../../../base/console/session.ts'
import { type ConnectionDraft, emptyDraft } from './connection-draft.ts'

type OpenForm = { readonly what: 'add' } | { readonly what: 'replace'; readonly id: string }

export const openedForm = signal<OpenForm | undefined>(undefined)
export const draft = signal<ConnectionDraft>(emptyDraft)
/** the form was open when the session ended */
export const wasInterrupted = signal(false)

let typedBy: string | undefined

export function openForm(form: OpenForm, known: Partial<ConnectionDraft> = {}) {
  typedBy = operator()
  draft.value = { ...emptyDraft, ...known }
  openedForm.value = form
}

export function closeForm() {
  typedBy = undefined
  openedForm.value = undefined
  draft.value = emptyDraft
  wasInterrupted.value = false
}

export const change = (changed: Partial<ConnectionDraft>) => void (draft.value = { ...draft.peek(), ...changed })

export function restoreForm() {
  if (openedForm.peek() && typedBy !== operator()) closeForm()
}

export function leavePage() {
  const now = sessionState.peek()
  // to another page, or signed out on purpose
  const isMeant = now.state === 'in' || (now.state === 'out' && !now.ended)
  if (openedForm.peek() && !isMeant) wasInterrupted.value = true
  else closeForm()
}
