// A signing key for the platform, read from its file and held as a key object, never as text.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Credential {
  readonly keyId: string
  /** absent for an individual key */
  readonly issuerId?: string
  readonly key: KeyObject
}

/** larger than any key file */
const mostBytes = 8192

function parsePem(pem: string): KeyObject {
  if (pem.length > mostBytes) throw new Error('the file is too large for a key')
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error('the file holds no private key in PEM form')
  }
  if (key.asymmetricKeyType !== 'ec') throw new Error(`it is a key of type ${key.asymmetricKeyType}, not EC`)
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (curve !== 'prime256v1') throw new Error(`it lies on the curve ${curve}, not on P-256`)
  return key
}

/** throws an Error whose message says what is wrong with the file, and nothing of what is in it */
export function readKeyFile(file: string): KeyObject {
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, { cause: error })
  }
  return parsePem(pem)
}
