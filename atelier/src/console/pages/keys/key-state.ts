// What a key is now, and the meaning of its scopes.
import type { Key } from '../../answers.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

export function stateOf({ revokedAt, expiresAt }: Key, now: number): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}

/** in the order of the form */
export const scopeTexts: Readonly<Record<string, string>> = {
  'containers:read': 'list containers',
  'containers:write': 'create and delete containers',
  exec: 'run commands in containers',
  files: 'read and write files in containers',
  ssh: 'open SSH sessions and terminals',
  'images:read': 'list images and read build logs',
  'images:write': 'build and delete images',
}

export const scopes = Object.keys(scopeTexts)

export const scopesText = ({ scopes: granted }: Pick<Key, 'scopes'>): string => {
  if (granted.length === scopes.length) return 'all'
  return granted.length === 1 ? String(granted[0]) : `${granted.length} of ${scopes.length}`
}
