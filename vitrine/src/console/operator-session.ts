// The session of an operator, as the kit knows sessions.
import { ask } from '../../../base/console/api.ts'
import type { SignedIn } from '../../../base/console/product.ts'
import { notePublicUrl } from './public-address.ts'

export interface OperatorSession {
  readonly who: string
  readonly csrf: string
  readonly role: string
  readonly operations: readonly string[]
  readonly service: { readonly version: string; readonly publicUrl: string }
}

export function signedIn({ service, ...session }: OperatorSession): SignedIn {
  notePublicUrl(service.publicUrl)
  return { ...session, version: service.version }
}

export const readSession = async () => signedIn(await ask<OperatorSession>('/session', { readsSession: true }))

export const endSession = () => ask('/session', { method: 'DELETE' })

/** the last one: the cookie is gone, as after signing out in another tab, and this page sends no token */
export const lostCodes = new Set([
  'csrf_missing',
  'session_missing',
  'session_ended',
  'session_unknown',
  'operator_token_missing',
])
