// Whether the signing key of a connection is there, is closed to others, and is one.
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Credential } from '../connections/credential.ts'
import { credentialOf, openRecord } from '../connections/hosted.ts'
import { type KeyFile, readKeyFile } from '../connections/key-file.ts'
import type { ConnectionSettings } from '../settings.ts'
import { cureOf, judgeTyped, otherThanFile } from './file-check.ts'
import { fail, ok, skip, type Verdict, warn } from './finding.ts'
import type { Patient } from './patient.ts'

export interface Keyed {
  readonly verdict: Verdict
  readonly credential?: Credential
  /** the key id that the file's name tells, as the platform names what it gives out */
  readonly named?: string | undefined
}

const otherwise =
  'Use the .p8 file as it was downloaded; the platform gives it out once only, so a lost one means a new key.'

const says = 'The key file cannot be used.'

const unusable = (file: string, error: Error): Verdict =>
  fail(says, { cause: `${file}: ${error.message}`, cure: cureOf(error) ?? otherwise })

function judgeMode(file: string): Verdict {
  const mode = statSync(file).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return ok('It holds a P-256 key, and is closed to others.')
  return warn('Others on this machine can get at the key file.', {
    cause: `${file} has mode ${mode.toString(8)}`,
    cure: `chmod 600 ${file}`,
  })
}

/** `written`: the path as the settings have it */
export function judgeKeyFile({ privateKeyFile: file, ...settings }: ConnectionSettings, written: string): Keyed {
  const typed = judgeTyped('privateKeyFile', { value: written, path: file, says })
  if (typed) return { verdict: typed }
  const other = otherThanFile(file)
  if (other !== undefined)
    return {
      verdict: fail(says, {
        cause: `${file}: ${other}`,
        cure: 'Set privateKeyFile to the path of the .p8 file itself.',
      }),
    }
  let held: KeyFile
  try {
    held = readKeyFile(file)
  } catch (error) {
    return { verdict: unusable(file, error as Error) }
  }
  const { keyId, issuerId = null, tokenScope = null } = settings
  const credential = credentialOf({ keyId, issuerId, tokenScope }, held.key())
  const named = /^AuthKey_(\w+)\.p8$/.exec(basename(file))?.[1]
  return { verdict: judgeMode(file), credential, named }
}

export function judgeHosted({ vault, hosted, closed }: Patient, id: string): Keyed {
  const row = hosted.get(id)
  if (closed.has(id)) return { verdict: skip('its credential does not open') }
  // the checks before have said what is the matter with the store
  if (!row) return { verdict: skip('what the store holds is not known') }
  return { verdict: ok('It is sealed in the store, and opens.'), credential: openRecord(vault, row) }
}
