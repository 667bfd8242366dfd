// The session of an account, as the kit knows sessions.
import { ask, send } from '../../../base/console/api.ts'
import type { SignedIn } from '../../../base/console/product.ts'
import type { AccountSession } from './answers.ts'

const signedIn = ({ user, csrfToken }: AccountSession): SignedIn => ({ who: user.email, csrf: csrfToken })

/** the routes for keys take the session by the first field, those for sessions by the second */
export const proofOf = (csrf: string) => ({ authorization: `Session ${csrf}`, 'x-csrf-token': csrf })

export const readSession = async () => signedIn(await ask<AccountSession>('/auth/session', { readsSession: true }))

export const endSession = () => send('/auth/logout', { method: 'POST' })

/** throws an ApiRefusal */
export const beginSession = async (email: string, password: string) =>
  signedIn(await ask<AccountSession>('/auth/login', { method: 'POST', body: { email, password }, readsSession: true }))

/** the last one: another tab has signed in anew, and this page has the token of the session before */
export const lostCodes: ReadonlySet<string> = new Set(['session_required', 'csrf_failed'])
