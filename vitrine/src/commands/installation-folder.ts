// Writes the files of an installation for the sandbox, broken in one way: settings, key file, store.
import { copyFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeMasterKey } from '../connections/master-keys.ts'
import { openCore } from '../core/core.ts'
import { readSettings } from '../settings.ts'
import { openStore } from '../store/open.ts'
import type { Account } from '../sandbox/sandbox.ts'
import { type BrokenInstallation, type InstallationFiles, settingsFileOf } from './broken-installations.ts'
import type { SandboxAccount } from './sandbox-account.ts'
import { cliActor } from './with-store.ts'

export function accountsOf({ account }: Pick<BrokenInstallation, 'account'>, own: SandboxAccount): Account[] {
  const { keyId, issuerId, publicKey } = own
  if (account === 'none') return []
  if (account === 'individual') return [{ keyId, publicKey }]
  return [{ keyId, issuerId: account === 'other issuer' ? `${issuerId.slice(0, -1)}2` : issuerId, publicKey }]
}

/** with a master key of its own */
async function addHostedConnection(file: Record<string, unknown>, folder: string, own: SandboxAccount) {
  const masterKeys = makeMasterKey('sandbox')
  writeFileSync(join(folder, 'master-keys'), `${masterKeys}\n`, { mode: 0o600 })
  const options = { folder, secrets: { masterKeys }, observe: () => {}, now: Date.now }
  const office = await openCore(readSettings({ store: file['store'], upstream: file['upstream'] }, {}), options)
  const { keyId, issuerId, privateKeyFile } = own
  const privateKey = readFileSync(privateKeyFile, 'utf8')
  try {
    await office.connectionAdmin.add({ id: 'hosted', keyId, issuerId, privateKey, check: false }, cliActor())
  } finally {
    await office.close()
  }
}

const storeName = 'vitrine.db'

/** files of an earlier start */
function clear(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = [storeName, `${storeName}-wal`, `${storeName}-shm`, 'master-keys', 'vitrine.json']
  for (const file of files) rmSync(join(folder, file), { force: true })
}

export async function writeInstallation(
  disorder: BrokenInstallation,
  at: Omit<InstallationFiles, 'keyFile' | 'storeFile'>,
  own: SandboxAccount,
) {
  const { folder, platform } = at
  clear(folder)
  // the platform's naming
  const keyName = `AuthKey_${own.keyId}.p8`
  const prepared = { ...at, keyFile: join(folder, keyName), storeFile: join(folder, storeName) }
  copyFileSync(own.privateKeyFile, prepared.keyFile)
  chmodSync(prepared.keyFile, 0o600)
  const demo = { keyId: own.keyId, issuerId: own.issuerId, privateKeyFile: keyName, ...disorder.connection }
  const file: Record<string, unknown> = {
    listen: '127.0.0.1:0',
    operatorListen: 'off',
    store: `sqlite:${storeName}`,
    upstream: { baseUrl: platform },
    connections: { demo },
  }
  if (disorder.hosted) await addHostedConnection(file, folder, own)
  else await (await openStore(`sqlite:${prepared.storeFile}`)).close()
  const master = disorder.hosted && { masterKeysFile: 'master-keys' }
  const text = JSON.stringify({ ...file, ...master, ...disorder.settings?.(prepared) }, null, 2)
  writeFileSync(settingsFileOf(folder), `${text}\n`, { mode: 0o600 })
  disorder.spoil?.(prepared)
  return settingsFileOf(folder)
}
