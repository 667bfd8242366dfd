// Reads an uploaded signing key, to store it or only to inspect it. No message contains any of it.
import { Problem } from '../problems.ts'
import type { ConnectionRecords } from '../store/connection-rows.ts'
import type { ShownConnection } from './connection.ts'
import { checkIssuerId, checkKeyId, fingerprintOf, readPrivateKey } from './credential.ts'
import type { Credential } from '../platform/auth/signer.ts'

export interface UploadedKey {
  readonly keyId: string
  readonly issuerId?: string | undefined
  /** PEM, escaped PEM, or base64 */
  readonly privateKey: string
}

export const invalidMember = (param: string, message: string): Problem =>
  new Problem('member_invalid', { param, message })

const unusable = (error: unknown): string => `The private key cannot be used: ${(error as Error).message}.`

export function readUploadedKey({ keyId, issuerId, privateKey }: UploadedKey): Credential['key'] {
  const badKeyId = checkKeyId(keyId)
  if (badKeyId !== undefined) throw invalidMember('keyId', badKeyId)
  const badIssuer = issuerId === undefined ? undefined : checkIssuerId(issuerId)
  if (badIssuer !== undefined) throw invalidMember('issuerId', badIssuer)
  try {
    return readPrivateKey(privateKey)
  } catch (error) {
    throw new Problem('private_key_unusable', { param: 'privateKey', message: unusable(error) })
  }
}

interface InspectionSources {
  readonly records: Pick<ConnectionRecords, 'withFingerprint'>
  readonly managed: () => readonly ShownConnection[]
}

/** what adding this private key would report */
export async function inspectKey(text: string, { records, managed }: InspectionSources) {
  let fingerprint: string
  try {
    fingerprint = fingerprintOf(readPrivateKey(text))
  } catch (error) {
    return { usable: false, message: unusable(error), fingerprint: null, usedBy: [] }
  }
  const kept = managed()
  // a managed connection hides a hosted one of its id
  const hosted = (await records.withFingerprint(fingerprint)).filter((id) => !kept.some((one) => one.id === id))
  const named = kept.filter((one) => one.fingerprint === fingerprint).map(({ id }) => id)
  return { usable: true, message: 'The private key can be used.', fingerprint, usedBy: [...named, ...hosted].sort() }
}
