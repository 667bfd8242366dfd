// The host key of the gateway: ed25519 in OpenSSH form, in the operator's file. It is made at the first start and kept ever after.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import ssh2 from 'ssh2'
import { openFiles } from '../../../base/core/secret-files.ts'
import { makeSecretFile } from '../secret-file.ts'
import { makeKeyPair } from './key-pair.ts'

export interface HostKey {
  readonly privateKey: string
  /** as in a line of known_hosts: type and base64 */
  readonly publicKey: string
  /** SHA256:… */
  readonly fingerprint: string
}

const wrong = (file: string, what: string): Error => new Error(`ssh.hostKeyFile: ${file} ${what}.`)

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw wrong(file, `cannot be read (${code})`)
  }
}

function make(file: string) {
  try {
    makeSecretFile(file, makeKeyPair().privateKey)
  } catch (error) {
    throw wrong(file, `cannot be made (${(error as NodeJS.ErrnoException).code})`)
  }
}

export function readHostKey(file: string): HostKey | undefined {
  const privateKey = read(file)
  if (privateKey === undefined) return undefined
  if (openFiles([{ file }], '/').length > 0) throw wrong(file, 'can be read by others: set its mode to 0600')
  const key = ssh2.utils.parseKey(privateKey)
  if (key instanceof Error || !key.isPrivateKey() || key.type !== 'ssh-ed25519')
    throw wrong(file, 'holds no ed25519 private key in OpenSSH form without a passphrase')
  const blob = key.getPublicSSH()
  return {
    privateKey,
    publicKey: `${key.type} ${blob.toString('base64')}`,
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
  }
}

export function openHostKey(file: string): HostKey {
  const known = readHostKey(file)
  if (known) return known
  make(file)
  const made = readHostKey(file)
  if (!made) throw wrong(file, 'cannot be made')
  return made
}
