// Which form is open, and what is typed in it. It outlives a session that ends in the middle of it, for whoever typed it;
// the private key does not, and nothing of it is here.
import { signal } from '@preact/signals'
import { standing } from '../../session.ts'
import { emptyWish, type Wish } from './wish.ts'

export type Form = { readonly what: 'add' } | { readonly what: 'replace'; readonly id: string }

export const form = signal<Form | undefined>(undefined)
export const wish = signal<Wish>(emptyWish)
/** it was open when the session ended */
export const cameBack = signal(false)

let typedBy: string | undefined

const whoIsHere = (): string | undefined => {
  const now = standing.peek()
  return now.state === 'in' ? now.session.who : undefined
}

export function openForm(opened: Form, known: Partial<Wish> = {}) {
  typedBy = whoIsHere()
  wish.value = { ...emptyWish, ...known }
  form.value = opened
}

export function closeForm() {
  typedBy = undefined
  form.value = undefined
  wish.value = emptyWish
  cameBack.value = false
}

export const change = (changed: Partial<Wish>) => void (wish.value = { ...wish.peek(), ...changed })

/** the page is drawn: what another typed is not for these eyes */
export function takeUp() {
  if (form.peek() && typedBy !== whoIsHere()) closeForm()
}

/** the page goes */
export function leaveOff() {
  const now = standing.peek()
  // to another page, or out on purpose
  const isMeant = now.state === 'in' || (now.state === 'out' && !now.ended)
  if (form.peek() && !isMeant) cameBack.value = true
  else closeForm()
}
