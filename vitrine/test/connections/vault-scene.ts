// A vault of two master keys, and a row that the first of them wraps.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { fingerprintOf } from '../../src/connections/credential.ts'
import { makeMasterKey, readMasterKeys } from '../../src/connections/master-keys.ts'
import { type ConnectionIdentity, createVault, type Vault } from '../../src/connections/vault.ts'
import type { ConnectionRecord } from '../../src/store/records.ts'

export const [oldText, newText] = [makeMasterKey('old'), makeMasterKey('new')]
export const vaultOf = (...texts: readonly string[]): Vault => createVault(readMasterKeys(texts.join('\n')))
export const vault = vaultOf(oldText, newText)
export const makeKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
export const key = makeKey()

export const identityOf = (key: KeyObject, more: Partial<ConnectionIdentity> = {}): ConnectionIdentity => ({
  id: 'acme',
  epoch: 'e1',
  version: 3,
  keyId: 'KEY1',
  issuerId: 'issuer',
  fingerprint: fingerprintOf(key),
  linkage: 'asked',
  tokenScope: 'request',
  createdAt: 1_760_000_000_000,
  replacedAt: 1_770_000_000_000,
  ...more,
})
export const recordOf = (key: KeyObject, more?: Partial<ConnectionIdentity>, by = vault): ConnectionRecord => {
  const identity = identityOf(key, more)
  return { ...identity, ...by.close(identity, key), lastUsedAt: null }
}
export const record = recordOf(key)
