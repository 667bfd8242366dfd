// Who is signed in. The token is in the field of the sign-in page until it is sent, and nowhere else.
import { signal } from '@preact/signals'
import type { Session } from './answers.ts'
import { ask, onLostSession, proveWith } from './api.ts'
import { asRefusal, type Refusal } from './refusal.ts'

export type Standing =
  | { readonly state: 'opening' }
  /** `ended`: there was a session, and it is over */
  | { readonly state: 'out'; readonly ended: boolean }
  | { readonly state: 'in'; readonly session: Session }
  | { readonly state: 'unknown'; readonly refusal: Refusal }

export const standing = signal<Standing>({ state: 'opening' })

function enter(session: Session) {
  const before = standing.peek()
  // another operator has signed in beside this tab: nothing that the first one typed, saw or began is his
  if (before.state === 'in' && before.session.who !== session.who) leave(true)
  proveWith(session.csrf, session.who)
  standing.value = { state: 'in', session }
}

function leave(ended: boolean) {
  proveWith('', '')
  standing.value = { state: 'out', ended }
}

onLostSession(async () => {
  try {
    enter(await ask<Session>('/session'))
  } catch (error) {
    if (asRefusal(error).status === 401 && standing.peek().state === 'in') leave(true)
  }
})

/** goes on with the session of this browser, if there is one */
export async function resume() {
  const wasIn = standing.peek().state === 'in'
  try {
    enter(await ask<Session>('/session'))
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.status === 401) leave(wasIn || /^session_(?:ended|unknown)$/.test(refusal.code))
    // whoever is in loses nothing of his page because nobody could be asked: what he does next will tell
    else if (!wasIn) standing.value = { state: 'unknown', refusal }
  }
}

/** throws a Refusal */
export async function signIn(token: string) {
  enter(await ask<Session>('/session', { method: 'POST', body: { token } }))
}

/** throws a Refusal: whoever wants to be signed out must know where it did not work */
export async function signOut() {
  try {
    await ask('/session', { method: 'DELETE' })
  } catch (error) {
    // it was over already: pressed twice, or in another tab
    if (asRefusal(error).status !== 401) throw error
  }
  leave(false)
}
