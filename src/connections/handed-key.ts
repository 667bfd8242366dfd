// A signing key as it was handed in: read to be stored, or only looked at. No message says anything of it.
import { Problem } from '../problem.ts'
import type { ConnectionRecords } from '../store/records.ts'
import type { ShownConnection } from './connection.ts'
import { checkIssuerId, checkKeyId, type Credential, fingerprintOf, readPrivateKey } from './credential.ts'

export interface HandedKey {
  readonly keyId: string
  readonly issuerId?: string | undefined
  /** as it came: PEM, escaped, or in base64 */
  readonly privateKey: string
}

export const wrong = (param: string, message: string): Problem => new Problem('member_invalid', { param, message })

const unusable = (error: unknown): string => `The private key cannot be used: ${(error as Error).message}.`

export function readHanded({ keyId, issuerId, privateKey }: HandedKey): Credential['key'] {
  const badKeyId = checkKeyId(keyId)
  if (badKeyId !== undefined) throw wrong('keyId', badKeyId)
  const badIssuer = issuerId === undefined ? undefined : checkIssuerId(issuerId)
  if (badIssuer !== undefined) throw wrong('issuerId', badIssuer)
  try {
    return readPrivateKey(privateKey)
  } catch (error) {
    throw new Problem('private_key_unusable', { param: 'privateKey', message: unusable(error) })
  }
}

/** what adding would say of a private key */
export interface Inspected {
  readonly usable: boolean
  readonly message: string
  /** SHA-256 of the public key, in hex */
  readonly fingerprint: string | null
  /** ids of connections with this key */
  readonly usedBy: readonly string[]
}

interface Held {
  readonly records: Pick<ConnectionRecords, 'withFingerprint'>
  readonly managed: () => readonly ShownConnection[]
}

export async function inspectHanded(text: string, { records, managed }: Held): Promise<Inspected> {
  let fingerprint: string
  try {
    fingerprint = fingerprintOf(readPrivateKey(text))
  } catch (error) {
    return { usable: false, message: unusable(error), fingerprint: null, usedBy: [] }
  }
  const kept = managed()
  // a managed one is served in place of a hosted one of its id
  const hosted = (await records.withFingerprint(fingerprint)).filter((id) => !kept.some((one) => one.id === id))
  const named = kept.filter((one) => one.fingerprint === fingerprint).map(({ id }) => id)
  return { usable: true, message: 'The private key can be used.', fingerprint, usedBy: [...named, ...hosted].sort() }
}
