// Who is signed in. The token is in the field of the sign-in page until it is sent, and nowhere else.
import { signal } from '@preact/signals'
import { ask, onLostSession, setSession } from './api.ts'
import { type ApiRefusal, asRefusal } from './refusal.ts'

export interface SignedIn {
  /** as the audit log names them */
  readonly who: string
  readonly csrf: string
  readonly role: string
  /** ids of those that the role allows */
  readonly operations: readonly string[]
  readonly service: { readonly version: string }
}

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
  return now.state === 'in' && now.session.operations.includes(operation)
}

/** in words: `keyManager` is a key manager */
export function roleName(): string {
  const now = sessionState.value
  return now.state === 'in' ? now.session.role.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : ''
}

export interface SignInWays {
  /** name of the provider; null: a token is the only way */
  readonly provider: string | null
}

export const readWays = (signal: AbortSignal) => ask<SignInWays>('/session/ways', { signal })

function enter(session: SignedIn) {
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
    enter(await ask<SignedIn>('/session'))
  } catch (error) {
    if (asRefusal(error).status === 401 && operator() !== undefined) leave(true)
  }
})

export async function resume() {
  const wasIn = operator() !== undefined
  try {
    enter(await ask<SignedIn>('/session'))
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.status === 401) leave(wasIn || /^session_(?:ended|unknown)$/.test(refusal.code))
    // a page that is open stays: the next request will show
    else if (!wasIn) sessionState.value = { state: 'unknown', refusal }
  }
}

/** throws an ApiRefusal */
export async function signIn(token: string) {
  enter(await ask<SignedIn>('/session', { method: 'POST', body: { token } }))
}

/** throws an ApiRefusal where the session may still be open */
export async function signOut() {
  try {
    await ask('/session', { method: 'DELETE' })
  } catch (error) {
    // it has ended already: pressed twice, or in another tab
    if (asRefusal(error).status !== 401) throw error
  }
  leave(false)
}
