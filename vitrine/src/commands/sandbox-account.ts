// The sandbox account of `vitrine demo` and `vitrine sandbox`; its signing key is created if it is missing.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SandboxAccount {
  readonly keyId: string
  readonly issuerId: string
  readonly publicKey: KeyObject
  readonly privateKeyFile: string
}

function readPublicKey(file: string): KeyObject {
  try {
    return createPublicKey(createPrivateKey(readFileSync(file)))
  } catch (error) {
    throw new Error(`${file} holds no signing key: remove it, and a new one is made`, { cause: error })
  }
}

export function openSandboxAccount(folder: string): SandboxAccount {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const privateKeyFile = join(folder, 'sandbox.p8')
  if (!existsSync(privateKeyFile)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    // atomic: a full disk must not leave half a key
    const fresh = `${privateKeyFile}.new`
    writeFileSync(fresh, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flush: true })
    renameSync(fresh, privateKeyFile)
  }
  return {
    keyId: 'SANDBOX001',
    issuerId: '00000000-0000-4000-8000-000000000001',
    publicKey: readPublicKey(privateKeyFile),
    privateKeyFile,
  }
}
