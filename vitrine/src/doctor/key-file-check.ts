// Checks that the signing key of a connection can be read, is closed to others, and is a P-256 key.
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Credential } from '../platform/auth/signer.ts'
import { hostedCredential, openCredential } from '../connections/hosted.ts'
import { type KeyFile, readKeyFile } from '../connections/key-file.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import { fileFix, judgePath } from './file-check.ts'
import { fail, ok, skip, type Verdict, warn } from './finding.ts'
import type { Installation } from './installation.ts'

export interface KeyFileResult {
  readonly verdict: Verdict
  readonly credential?: Credential
  /** the key id in the file's name: the platform's downloads are named AuthKey_<key id>.p8 */
  readonly named?: string | undefined
}

const useDownload =
  'Use the .p8 file as it was downloaded. It can be downloaded only once: if it is lost, create a new key.'

const says = 'The key file cannot be used.'

const unusable = (file: string, error: Error): Verdict =>
  fail(says, { cause: `${file}: ${error.message}`, cure: fileFix(error) ?? useDownload })

function judgeMode(file: string): Verdict {
  const mode = statSync(file).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0)
    return ok('It holds a P-256 key, and only its owner can read it.')
  return warn('Other users of this machine can access the key file.', {
    cause: `${file} has mode ${mode.toString(8)}`,
    cure: `chmod 600 ${file}`,
  })
}

/** `written`: the path as the settings have it */
export function judgeKeyFile(
  { privateKeyFile: file, ...settings }: ConnectionSettings,
  written: string,
): KeyFileResult {
  const cure = 'Set privateKeyFile to the path of the .p8 file itself.'
  const wrong = judgePath('privateKeyFile', { value: written, path: file, says, cure })
  if (wrong) return { verdict: wrong }
  let held: KeyFile
  try {
    held = readKeyFile(file)
  } catch (error) {
    return { verdict: unusable(file, error as Error) }
  }
  const { keyId, issuerId = null, tokenScope = null } = settings
  const credential = hostedCredential({ keyId, issuerId, tokenScope }, held.key())
  const named = /^AuthKey_(\w+)\.p8$/.exec(basename(file))?.[1]
  return { verdict: judgeMode(file), credential, named }
}

export function judgeHosted({ vault, hosted, unreadable: closed }: Installation, id: string): KeyFileResult {
  const row = hosted.get(id)
  if (closed.has(id)) return { verdict: skip('its credential cannot be decrypted') }
  if (!row) return { verdict: skip('the connections in the store are not known') }
  return { verdict: ok('It is encrypted in the store, and can be decrypted.'), credential: openCredential(vault, row) }
}
