// The vault encrypts each hosted credential with its own data key, and that with the named master key.
// Both are bound to their row: edited, moved to another row or rolled back, they do not decrypt.
import { createHmac, createPrivateKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { associate, seal, sealedOverhead, unseal } from '../../../base/core/seal.ts'
import type { ConnectionRecord } from '../store/records.ts'
import { attempt } from '../../../base/core/attempt.ts'
import { fingerprintOf } from './credential.ts'
import type { MasterKeys } from './master-keys.ts'

export type ConnectionIdentity = Omit<ConnectionRecord, 'masterKey' | 'wrapped' | 'sealed' | 'lastUsedAt'>

export type Vault = ReturnType<typeof createVault>

const reasons = {
  master_key_unknown: 'the master key that it names is not among those given',
  data_key_closed: 'its data key cannot be decrypted: it was altered, or sealed with another master key of that name',
  credential_closed: 'its credential cannot be decrypted: the row was altered, or belongs elsewhere',
  not_the_key: 'what was opened is not the key that the row tells of',
}

/** A row that cannot be decrypted. The message contains only the name of its master key. */
export class UnreadableCredential extends Error {
  override readonly name = 'UnreadableCredential'
  readonly code: keyof typeof reasons

  constructor(code: keyof typeof reasons, masterKey?: string) {
    super(masterKey === undefined ? reasons[code] : reasons[code].replace('that it names', masterKey))
    this.code = code
  }
}

const fail = (code: keyof typeof reasons): never => {
  throw new UnreadableCredential(code)
}

const dataKeyBytes = 32
const mostSealed = 1024

type Bound = string | number | null

/** injective: null, numbers and texts never encode alike */
function mark(value: Bound): string {
  if (value === null) return '-'
  if (typeof value === 'string' && value.isWellFormed()) return `s${value}`
  if (typeof value === 'number' && Number.isSafeInteger(value)) return `n${value}`
  throw new TypeError('a member that is bound is neither a text nor a whole number nor null')
}

const boundTo = (format: string, ...bound: readonly Bound[]): Buffer => associate(format, ...bound.map(mark))

const boundToDataKey = (masterKey: string, { id, epoch, version }: ConnectionIdentity): Buffer =>
  boundTo('vitrine data key 1', masterKey, id, epoch, version)

/** all members of a row but its encrypted ones and its last use, in the order that they are bound */
export function boundMembers(of: ConnectionIdentity): readonly Bound[] {
  const { id, epoch, version, keyId, issuerId, fingerprint, linkage, tokenScope, createdAt, replacedAt } = of
  return [id, epoch, version, keyId, issuerId, fingerprint, linkage, tokenScope, createdAt, replacedAt]
}

const boundToCredential = (of: ConnectionIdentity): Buffer => boundTo('vitrine credential 1', ...boundMembers(of))

function openDataKey({ keys }: MasterKeys, record: ConnectionRecord): Buffer {
  const { masterKey: id, wrapped } = record
  const masterKey = keys.get(id)
  // an invalid id is not repeated: it may be anything
  if (!masterKey)
    throw new UnreadableCredential(
      'master_key_unknown',
      typeof id === 'string' && /^[\w.-]{1,32}$/.test(id) ? id : undefined,
    )
  const dataKey =
    wrapped instanceof Uint8Array && wrapped.length === dataKeyBytes + sealedOverhead
      ? attempt(() => unseal(masterKey, boundToDataKey(id, record), wrapped))
      : undefined
  return dataKey ?? fail('data_key_closed')
}

function unsealCredential(dataKey: Buffer, record: ConnectionRecord): Buffer {
  const { sealed } = record
  if (!(sealed instanceof Uint8Array) || sealed.length > mostSealed) return fail('credential_closed')
  return attempt(() => unseal(dataKey, boundToCredential(record), sealed)) ?? fail('credential_closed')
}

function asKey(der: Buffer, fingerprint: string): KeyObject {
  const key = attempt(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  const isIt = key?.asymmetricKeyDetails?.namedCurve === 'prime256v1' && attempt(() => fingerprintOf(key))
  return key && isIt === fingerprint ? key : fail('not_the_key')
}

/** wipes the plain bytes after use */
function wiping<T>(plain: Buffer, use: (plain: Buffer) => T): T {
  try {
    return use(plain)
  } finally {
    plain.fill(0)
  }
}

export function createVault(masterKeys: MasterKeys) {
  const { first, keys } = masterKeys
  const masterKey = (id: string): KeyObject => {
    const key = keys.get(id)
    if (!key) throw new Error('there is no master key of that name')
    return key
  }
  const wrap = (of: ConnectionIdentity, dataKey: Buffer) => ({
    masterKey: first,
    wrapped: seal(masterKey(first), boundToDataKey(first, of), dataKey),
  })
  return {
    writes: first,
    reads: [...keys.keys()],
    /** identifies the key behind this id, and reveals nothing of it */
    proofOf: (id: string) =>
      Buffer.from(hkdfSync('sha256', masterKey(id), Buffer.alloc(0), boundTo('vitrine master key proof 1', id), 32)),
    /** undefined if this master key is not given */
    macOf(id: string, bytes: Uint8Array): Buffer | undefined {
      const given = keys.get(id)
      const key = given && hkdfSync('sha256', given, Buffer.alloc(0), boundTo('vitrine seals 1', id), 32)
      return key && createHmac('sha256', Buffer.from(key)).update(bytes).digest()
    },
    close(identity: ConnectionIdentity, key: KeyObject): Pick<ConnectionRecord, 'masterKey' | 'wrapped' | 'sealed'> {
      // never write a row that cannot be decrypted
      if (fingerprintOf(key) !== identity.fingerprint) throw new Error('the fingerprint is not that of the key')
      return wiping(randomBytes(dataKeyBytes), (dataKey) => {
        const sealCredential = (der: Buffer) => seal(dataKey, boundToCredential(identity), der)
        const sealed = wiping(key.export({ type: 'pkcs8', format: 'der' }), sealCredential)
        return { ...wrap(identity, dataKey), sealed }
      })
    },
    /** throws only `UnreadableCredential`, whatever the row holds */
    open: (record: ConnectionRecord) =>
      wiping(openDataKey(masterKeys, record), (dataKey) =>
        wiping(unsealCredential(dataKey, record), (der) => asKey(der, record.fingerprint)),
      ),
    /** encrypts the data key with the active master key; throws only `UnreadableCredential` */
    rewrap: (record: ConnectionRecord) =>
      wiping(openDataKey(masterKeys, record), (dataKey) => ({
        id: record.id,
        from: record.wrapped,
        ...wrap(record, dataKey),
      })),
  }
}
