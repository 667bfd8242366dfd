// Adds, checks, replaces and removes hosted connections, and lists all.
// Each change is in the audit log in the same transaction. Nothing returns a credential.
import { randomBytes } from 'node:crypto'
import type { BoundGet } from '../platform/port.ts'
import { Problem } from '../problems.ts'
import { connectionId } from '../connection-settings.ts'
import type { Actor, AuditEntry } from '../../../base/core/audit.ts'
import type { ConnectionRecord, IdRange } from '../store/records.ts'
import type { ConnectionRecords } from '../store/connection-rows.ts'
import { type BindUpstream, type ShownConnection, shownHosted } from './connection.ts'
import { fingerprintOf } from './credential.ts'
import type { Credential } from '../platform/auth/signer.ts'
import { type UploadedKey, inspectKey, readUploadedKey, invalidMember } from './uploaded-key.ts'
import { hostedCredential, openCredential } from './hosted.ts'
import { type KeyCheck, checkKey, requireKnownKey } from './key-check.ts'
import { UnreadableCredential, type Vault } from './vault.ts'

export interface CredentialInput extends UploadedKey {
  /** default true: check the key at the platform before it is stored */
  readonly check?: boolean | undefined
}

export interface ConnectionInput extends CredentialInput {
  readonly id: string
  readonly linkage?: 'asked' | undefined
  readonly tokenScope?: 'request' | undefined
}

export interface StoredConnection {
  readonly shown: ShownConnection
  /** null if the check was skipped */
  readonly check: KeyCheck | null
}

export interface ReplacedConnection extends StoredConnection {
  /** if so, facade keys and cursors stay valid */
  readonly isSameAccount: boolean
}

export type ConnectionAdmin = ReturnType<typeof createConnectionAdmin>

export interface ConnectionAdminOptions {
  readonly records: ConnectionRecords
  readonly managed: () => readonly ShownConnection[]
  /** how a managed connection is read */
  readonly managedGet: (id: string) => BoundGet
  readonly vault: () => Vault | undefined
  /** refuses another master key under the same name */
  readonly checkMasterKey: (vault: Vault) => Promise<void>
  readonly bind: BindUpstream
  /** called when an open connection is out of date */
  readonly changed: (id: string) => void
  readonly record: (entry: AuditEntry) => Promise<void>
  readonly now: () => number
}

const freshEpoch = (): string => randomBytes(12).toString('base64url')
const isManaged = ({ managed }: ConnectionAdminOptions, id: string): boolean => managed().some((one) => one.id === id)

async function hostedRecord(options: ConnectionAdminOptions, id: string): Promise<ConnectionRecord> {
  if (isManaged(options, id)) throw new Problem('connection_managed')
  const found = await options.records.latest(id)
  if (!found) throw new Problem('connection_unknown')
  return found
}

async function hostedGet(options: ConnectionAdminOptions, id: string): Promise<BoundGet> {
  const found = await hostedRecord(options, id)
  try {
    return options.bind(openCredential(options.vault(), found), id).get
  } catch (error) {
    if (!(error instanceof UnreadableCredential)) throw error
    const message = `It cannot be opened: ${error.message}.`
    throw new Problem('connection_unreadable', { cause: error.message, message })
  }
}

async function activeVault({ vault, checkMasterKey }: ConnectionAdminOptions): Promise<Vault> {
  const open = vault()
  if (!open) throw new Problem('vault_closed')
  await checkMasterKey(open)
  return open
}

async function checkUnlessSkipped(
  { bind }: ConnectionAdminOptions,
  { id, check }: Pick<ConnectionInput, 'id' | 'check'>,
  credential: Credential,
) {
  if (check === false) return null
  const result = await checkKey(bind(credential, id).get)
  requireKnownKey(result, credential)
  return result
}

const detailsOf = ({ keyId, issuerId, fingerprint, version }: ConnectionRecord, check: KeyCheck | null) => ({
  keyId,
  issuerId,
  fingerprint,
  version,
  checked: check === null ? 'no' : (check.code ?? 'ok'),
})

const done = ({ now }: ConnectionAdminOptions, actor: Actor, target: string) =>
  ({ at: now(), ...actor, target, outcome: 'done' }) as const

async function list(
  { records, managed }: ConnectionAdminOptions,
  { after, limit }: IdRange,
): Promise<ShownConnection[]> {
  const kept = managed()
  const hosted = (await records.page({ after, limit })).filter(({ id }) => !kept.some((one) => one.id === id))
  return [...hosted.map(shownHosted), ...kept.filter(({ id }) => id > after)]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

async function add(options: ConnectionAdminOptions, input: ConnectionInput, actor: Actor): Promise<StoredConnection> {
  const { id, keyId, issuerId = null, linkage = null, tokenScope = null } = input
  if (!connectionId.test(id))
    throw invalidMember('id', 'An id is 1 to 64 letters, digits, dots, dashes or underscores.')
  const vault = await activeVault(options)
  const key = readUploadedKey(input)
  if (isManaged(options, id) || (await options.records.latest(id))) throw new Problem('connection_exists')
  const check = await checkUnlessSkipped(options, input, hostedCredential({ keyId, issuerId, tokenScope }, key))
  const account = { id, epoch: freshEpoch(), version: 1, keyId, issuerId, fingerprint: fingerprintOf(key) }
  const identity = { ...account, linkage, tokenScope, createdAt: options.now(), replacedAt: null }
  const fresh: ConnectionRecord = { ...identity, ...vault.close(identity, key), lastUsedAt: null }
  const details = detailsOf(fresh, check)
  const entry: AuditEntry = { ...done(options, actor, id), act: 'connections.create', details }
  if (!(await options.records.add(fresh, entry))) throw new Problem('connection_exists')
  return { shown: shownHosted(fresh), check }
}

async function replace(
  options: ConnectionAdminOptions,
  id: string,
  input: CredentialInput,
  actor: Actor,
): Promise<ReplacedConnection> {
  const before = await hostedRecord(options, id)
  const vault = await activeVault(options)
  const key = readUploadedKey(input)
  const { keyId, issuerId = null } = input
  const { linkage, tokenScope, createdAt, lastUsedAt } = before
  const credential = hostedCredential({ keyId, issuerId, tokenScope }, key)
  const check = await checkUnlessSkipped(options, { ...input, id }, credential)
  // another issuer, or another individual key, may be another account:
  // neither cached answers nor grants of the old one may serve it
  const isSameAccount = issuerId === before.issuerId && (issuerId !== null || keyId === before.keyId)
  const epoch = isSameAccount ? before.epoch : freshEpoch()
  const version = before.version + 1
  const changes = { epoch, version, keyId, issuerId, fingerprint: fingerprintOf(key), replacedAt: options.now() }
  const identity = { id, linkage, tokenScope, createdAt, ...changes }
  const fresh: ConnectionRecord = { ...identity, ...vault.close(identity, key), lastUsedAt }
  const details = detailsOf(fresh, check)
  const entry: AuditEntry = { ...done(options, actor, id), act: 'connections.replace', details }
  if (!(await options.records.replace(fresh, before, entry))) throw new Problem('connection_changed')
  options.changed(id)
  return { shown: shownHosted(fresh), check, isSameAccount }
}

async function remove(options: ConnectionAdminOptions, id: string, actor: Actor) {
  const before = await hostedRecord(options, id)
  const { epoch, keyId, issuerId, fingerprint } = before
  const details = { epoch, keyId, issuerId, fingerprint }
  const entry: AuditEntry = { ...done(options, actor, id), act: 'connections.remove', details }
  const gone = await options.records.remove(id, before, entry)
  options.changed(id)
  if (!gone) throw new Problem('connection_changed')
}

export function createConnectionAdmin(options: ConnectionAdminOptions) {
  return {
    /** managed and hosted ones, by id */
    list: (stretch: IdRange) => list(options, stretch),
    show: async (id: string) =>
      options.managed().find((one) => one.id === id) ?? shownHosted(await hostedRecord(options, id)),
    add: (input: ConnectionInput, actor: Actor) => add(options, input, actor),
    replace: (id: string, input: CredentialInput, actor: Actor) => replace(options, id, input, actor),
    /** what adding this private key would report; nothing is stored */
    inspect: (privateKey: string) => inspectKey(privateKey, options),
    async check(id: string, actor: Actor): Promise<KeyCheck> {
      const get = isManaged(options, id) ? options.managedGet(id) : await hostedGet(options, id)
      const check = await checkKey(get)
      const details = { found: check.code ?? 'ok' }
      await options.record({ ...done(options, actor, id), act: 'connections.check', details })
      return check
    },
    remove: (id: string, actor: Actor) => remove(options, id, actor),
  }
}
