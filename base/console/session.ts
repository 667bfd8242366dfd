// Who is signed in, and how that changes: by this page, by another tab, by time.
import { signal } from '@preact/signals'
import { onLostSession, setSession } from './api.ts'
import { product, type SignedIn } from './product.ts'
import { type ApiRefusal, asRefusal } from './refusal.ts'

export type SessionState =
  | { readonly state: 'opening' }
  | { readonly state: 'out'; readonly ended: boolean }
  | { readonly state: 'in'; readonly session: SignedIn }
  | { readonly state: 'unknown'; readonly refusal: ApiRefusal }

export const sessionState = signal<SessionState>({ state: 'opening' })

export function operator(): string | undefined {
  const now = sessionState.peek()
  return now.state === 'in' ? now.session.who : undefined
}

/** drawn again when another role signs in */
export function mayDo(operation: string): boolean {
  const now = sessionState.value
  return now.state === 'in' && (now.session.operations?.includes(operation) ?? true)
}

/** in words: `keyManager` is a key manager */
export function roleName(): string {
  const now = sessionState.value
  const role = now.state === 'in' ? now.session.role : undefined
  return role?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? ''
}

export function enter(session: SignedIn) {
  // another operator signed in beside this tab: what the first one typed or saw is not theirs
  if (operator() !== undefined && operator() !== session.who) leave(true)
  setSession(session.csrf, session.who)
  sessionState.value = { state: 'in', session }
}

function leave(ended: boolean) {
  setSession('', '')
  sessionState.value = { state: 'out', ended }
}

onLostSession(async () => {
  try {
    enter(await product().readSession())
  } catch (error) {
    if (asRefusal(error).status === 401 && operator() !== undefined) leave(true)
  }
})

export async function resume() {
  const wasIn = operator() !== undefined
  try {
    enter(await product().readSession())
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.status === 401) leave(wasIn || /^session_(?:ended|unknown)$/.test(refusal.code))
    // a page that is open stays: the next request will show
    else if (!wasIn) sessionState.value = { state: 'unknown', refusal }
  }
}

/** throws an ApiRefusal where the session may still be open */
export async function signOut() {
  try {
    await product().endSession()
  } catch (error) {
    // it has ended already: pressed twice, or in another tab
    if (asRefusal(error).status !== 401) throw error
  }
  leave(false)
}
