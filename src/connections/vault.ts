// The vault: a hosted credential is sealed with a data key of its own, and that with the master key named beside it.
// Both are bound to what the row says of them: edited, moved to another row or set back, they do not open.
import { createHmac, createPrivateKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { associate, seal, sealedOverhead, unseal } from '../sealed.ts'
import type { ConnectionRecord, Rewrap } from '../store/records.ts'
import { fingerprintOf } from './credential.ts'
import type { MasterKeys } from './master-keys.ts'

/** what a credential is bound to */
export type ConnectionIdentity = Omit<ConnectionRecord, 'masterKey' | 'wrapped' | 'sealed' | 'lastUsedAt'>

export interface Vault {
  /** the id of the master key that wraps from now on */
  readonly writes: string
  readonly reads: readonly string[]
  /** tells this key from every other that may go by its name, and nothing of the key */
  proofOf(id: string): Buffer
  /** for what the store holds beside credentials; undefined where this key is not given */
  macOf(id: string, bytes: Uint8Array): Buffer | undefined
  close(identity: ConnectionIdentity, key: KeyObject): Pick<ConnectionRecord, 'masterKey' | 'wrapped' | 'sealed'>
  /** throws only `Unreadable`, whatever the row holds */
  open(record: ConnectionRecord): KeyObject
  /** the data key under the master key that writes; throws only `Unreadable`. The credential stays closed. */
  rewrap(record: ConnectionRecord): Rewrap
}

const reasons = {
  master_key_unknown: 'the master key that it names is not among those given',
  data_key_closed: 'its data key does not open: it was altered, or sealed with another master key of that name',
  credential_closed: 'its credential does not open: the row was altered, or belongs elsewhere',
  not_the_key: 'what was opened is not the key that the row tells of',
}

/** A row that cannot be opened. It holds nothing of the row but the name of its master key. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly code: keyof typeof reasons

  constructor(code: keyof typeof reasons, masterKey?: string) {
    super(masterKey === undefined ? reasons[code] : reasons[code].replace('that it names', masterKey))
    this.code = code
  }
}

const fail = (code: keyof typeof reasons): never => {
  throw new Unreadable(code)
}

const dataKeyBytes = 32
/** far above the canonical form of a P-256 key */
const mostSealed = 1024

type Bound = string | number | null

/** as text that tells absence, numbers and texts apart, and texts from all others */
function mark(value: Bound): string {
  if (value === null) return '-'
  if (typeof value === 'string' && value.isWellFormed()) return `s${value}`
  if (typeof value === 'number' && Number.isSafeInteger(value)) return `n${value}`
  throw new TypeError('a member that is bound is neither a text nor a whole number nor null')
}

const place = (format: string, ...bound: readonly Bound[]): Buffer => associate(format, ...bound.map(mark))

const placeOfDataKey = (masterKey: string, { id, epoch, version }: ConnectionIdentity): Buffer =>
  place('vitrine data key 1', masterKey, id, epoch, version)

const placeOfCredential = (of: ConnectionIdentity): Buffer =>
  place(
    'vitrine credential 1',
    ...[of.id, of.epoch, of.version, of.keyId, of.issuerId, of.fingerprint],
    ...[of.linkage, of.tokenScope, of.createdAt, of.replacedAt],
  )

/** undefined where it does not open, for whatever reason */
function tryToOpen<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}

function openDataKey({ keys }: MasterKeys, record: ConnectionRecord): Buffer {
  const { masterKey: id, wrapped } = record
  const masterKey = keys.get(id)
  // the name as given only where it can be one
  if (!masterKey)
    throw new Unreadable('master_key_unknown', typeof id === 'string' && /^[\w.-]{1,32}$/.test(id) ? id : undefined)
  const dataKey =
    wrapped instanceof Uint8Array && wrapped.length === dataKeyBytes + sealedOverhead
      ? tryToOpen(() => unseal(masterKey, placeOfDataKey(id, record), wrapped))
      : undefined
  return dataKey ?? fail('data_key_closed')
}

function openCredential(dataKey: Buffer, record: ConnectionRecord): Buffer {
  const { sealed } = record
  if (!(sealed instanceof Uint8Array) || sealed.length > mostSealed) return fail('credential_closed')
  return tryToOpen(() => unseal(dataKey, placeOfCredential(record), sealed)) ?? fail('credential_closed')
}

/** the private key in these bytes, where it is the one of this fingerprint */
function asKey(der: Buffer, fingerprint: string): KeyObject {
  const key = tryToOpen(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  const isIt = key?.asymmetricKeyDetails?.namedCurve === 'prime256v1' && tryToOpen(() => fingerprintOf(key))
  return key && isIt === fingerprint ? key : fail('not_the_key')
}

/** does it with the plain bytes and wipes them */
function wiping<T>(plain: Buffer, use: (plain: Buffer) => T): T {
  try {
    return use(plain)
  } finally {
    plain.fill(0)
  }
}

export function createVault(masterKeys: MasterKeys): Vault {
  const { first, keys } = masterKeys
  const masterKey = (id: string): KeyObject => {
    const key = keys.get(id)
    if (!key) throw new Error('there is no master key of that name')
    return key
  }
  const wrap = (of: ConnectionIdentity, dataKey: Buffer) => ({
    masterKey: first,
    wrapped: seal(masterKey(first), placeOfDataKey(first, of), dataKey),
  })
  return {
    writes: first,
    reads: [...keys.keys()],
    proofOf: (id) =>
      Buffer.from(hkdfSync('sha256', masterKey(id), Buffer.alloc(0), place('vitrine master key proof 1', id), 32)),
    macOf(id, bytes) {
      const given = keys.get(id)
      const key = given && hkdfSync('sha256', given, Buffer.alloc(0), place('vitrine seals 1', id), 32)
      return key && createHmac('sha256', Buffer.from(key)).update(bytes).digest()
    },
    close(identity, key) {
      // a row that never opens is not written
      if (fingerprintOf(key) !== identity.fingerprint) throw new Error('the fingerprint is not that of the key')
      return wiping(randomBytes(dataKeyBytes), (dataKey) => {
        const sealCredential = (der: Buffer) => seal(dataKey, placeOfCredential(identity), der)
        const sealed = wiping(key.export({ type: 'pkcs8', format: 'der' }), sealCredential)
        return { ...wrap(identity, dataKey), sealed }
      })
    },
    open: (record) =>
      wiping(openDataKey(masterKeys, record), (dataKey) =>
        wiping(openCredential(dataKey, record), (der) => asKey(der, record.fingerprint)),
      ),
    rewrap: (record) =>
      wiping(openDataKey(masterKeys, record), (dataKey) => ({
        id: record.id,
        from: record.wrapped,
        ...wrap(record, dataKey),
      })),
  }
}
