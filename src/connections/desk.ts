// Where connections are managed: hosted ones are added, tried, replaced and removed; managed ones are shown beside them.
// Every act is in the audit with the change itself. Nothing here ever gives a credential back.
import { randomBytes } from 'node:crypto'
import type { BoundGet } from '../engine/port.ts'
import { Problem } from '../problem.ts'
import { connectionId } from '../setting-values.ts'
import type { Actor, ConnectionRecord, ConnectionRecords, Deed, Stretch } from '../store/records.ts'
import { type Bind, type ShownConnection, shownOf } from './connection.ts'
import { type Credential, fingerprintOf } from './credential.ts'
import { type HandedKey, type Inspected, inspectHanded, readHanded, wrong } from './handed-key.ts'
import { credentialOf, openRecord } from './hosted.ts'
import { type Proof, prove, requireKnown } from './proof.ts'
import { Unreadable, type Vault } from './vault.ts'

export interface CredentialWish extends HandedKey {
  /** whether the platform is asked before anything is stored; true unless said otherwise */
  readonly check?: boolean | undefined
}

export interface ConnectionWish extends CredentialWish {
  readonly id: string
  readonly linkage?: 'asked' | undefined
  readonly tokenScope?: 'request' | undefined
}

export interface Stored {
  readonly shown: ShownConnection
  /** null where it was not asked for */
  readonly proof: Proof | null
}

export interface Replaced extends Stored {
  /** whether keys that name the connection, and cursors, stay good */
  readonly isSameAccount: boolean
}

export interface Desk {
  /** managed and hosted ones, by id */
  list(stretch: Stretch): Promise<ShownConnection[]>
  show(id: string): Promise<ShownConnection>
  add(wish: ConnectionWish, actor: Actor): Promise<Stored>
  replace(id: string, wish: CredentialWish, actor: Actor): Promise<Replaced>
  /** what adding would say of this private key; nothing is stored */
  inspect(privateKey: string): Promise<Inspected>
  check(id: string, actor: Actor): Promise<Proof>
  remove(id: string, actor: Actor): Promise<void>
}

export interface DeskOptions {
  readonly records: ConnectionRecords
  readonly managed: () => readonly ShownConnection[]
  /** how a managed connection is read through */
  readonly managedGet: (id: string) => BoundGet
  readonly vault: () => Vault | undefined
  /** keeps the proof of the writing master key, and refuses another key of the same name */
  readonly vouch: (vault: Vault) => Promise<void>
  readonly bind: Bind
  /** told when what was opened must be let go of */
  readonly changed: (id: string) => void
  readonly record: (deed: Deed) => Promise<void>
  readonly now: () => number
}

const freshEpoch = (): string => randomBytes(12).toString('base64url')

type Act = (actor: Actor, act: string, target: string, details: Deed['details']) => Deed

const actAt =
  (now: () => number): Act =>
  (actor, act, target, details) => ({ at: now(), ...actor, act, target, outcome: 'done', details })

const isManaged = ({ managed }: DeskOptions, id: string): boolean => managed().some((one) => one.id === id)

async function hostedRecord(options: DeskOptions, id: string): Promise<ConnectionRecord> {
  if (isManaged(options, id)) throw new Problem('connection_managed')
  const found = await options.records.latest(id)
  if (!found) throw new Problem('connection_unknown')
  return found
}

async function hostedGet(options: DeskOptions, id: string): Promise<BoundGet> {
  const found = await hostedRecord(options, id)
  try {
    return options.bind(openRecord(options.vault(), found), id).get
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const message = `It cannot be opened: ${error.message}.`
    throw new Problem('connection_unreadable', { cause: error.message, message })
  }
}

async function writingVault({ vault, vouch }: DeskOptions): Promise<Vault> {
  const open = vault()
  if (!open) throw new Problem('vault_closed')
  await vouch(open)
  return open
}

type Trial = Pick<ConnectionWish, 'id' | 'check'>
async function proveUnlessTold({ bind }: DeskOptions, { id, check }: Trial, credential: Credential) {
  if (check === false) return null
  const proof = await prove(bind(credential, id).get)
  requireKnown(proof)
  return proof
}

const detailsOf = ({ keyId, issuerId, fingerprint, version }: ConnectionRecord, proof: Proof | null) => ({
  ...{ keyId, issuerId, fingerprint, version },
  checked: proof === null ? 'no' : (proof.code ?? 'ok'),
})

async function list({ records, managed }: DeskOptions, { after, limit }: Stretch): Promise<ShownConnection[]> {
  const kept = managed()
  const hosted = (await records.page({ after, limit })).filter(({ id }) => !kept.some((one) => one.id === id))
  return [...hosted.map(shownOf), ...kept.filter(({ id }) => id > after)]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

async function add(options: DeskOptions, act: Act, wish: ConnectionWish, actor: Actor): Promise<Stored> {
  const { id, keyId, issuerId = null, linkage = null, tokenScope = null } = wish
  if (!connectionId.test(id)) throw wrong('id', 'An id is 1 to 64 letters, digits, dots, dashes or underscores.')
  const vault = await writingVault(options)
  const key = readHanded(wish)
  if (isManaged(options, id) || (await options.records.latest(id))) throw new Problem('connection_exists')
  const proof = await proveUnlessTold(options, wish, credentialOf({ keyId, issuerId, tokenScope }, key))
  const identity = {
    ...{ id, epoch: freshEpoch(), version: 1, keyId, issuerId, fingerprint: fingerprintOf(key) },
    ...{ linkage, tokenScope, createdAt: options.now(), replacedAt: null },
  }
  const fresh: ConnectionRecord = { ...identity, ...vault.close(identity, key), lastUsedAt: null }
  const added = await options.records.add(fresh, act(actor, 'connections.create', id, detailsOf(fresh, proof)))
  if (!added) throw new Problem('connection_exists')
  return { shown: shownOf(fresh), proof }
}

async function replace(options: DeskOptions, act: Act, { id, wish }: Replacing, actor: Actor): Promise<Replaced> {
  const before = await hostedRecord(options, id)
  const vault = await writingVault(options)
  const key = readHanded(wish)
  const { keyId, issuerId = null } = wish
  const { linkage, tokenScope, createdAt, lastUsedAt } = before
  const credential = credentialOf({ keyId, issuerId, tokenScope }, key)
  const proof = await proveUnlessTold(options, { ...wish, id }, credential)
  // another issuer is another account, and so may be another individual key: neither what was remembered of the old
  // one nor the keys that name it may answer for it
  const isSameAccount = issuerId === before.issuerId && (issuerId !== null || keyId === before.keyId)
  const epoch = isSameAccount ? before.epoch : freshEpoch()
  const identity = {
    ...{ id, epoch, version: before.version + 1, keyId, issuerId, fingerprint: fingerprintOf(key) },
    ...{ linkage, tokenScope, createdAt, replacedAt: options.now() },
  }
  const fresh: ConnectionRecord = { ...identity, ...vault.close(identity, key), lastUsedAt }
  const deed = act(actor, 'connections.replace', id, detailsOf(fresh, proof))
  if (!(await options.records.replace(fresh, before, deed))) throw new Problem('connection_changed')
  options.changed(id)
  return { shown: shownOf(fresh), proof, isSameAccount }
}

async function remove(options: DeskOptions, act: Act, id: string, actor: Actor) {
  const before = await hostedRecord(options, id)
  const { epoch, keyId, issuerId, fingerprint } = before
  const deed = act(actor, 'connections.remove', id, { epoch, keyId, issuerId, fingerprint })
  const gone = await options.records.remove(id, before, deed)
  options.changed(id)
  if (!gone) throw new Problem('connection_changed')
}

export function createDesk(options: DeskOptions): Desk {
  const act = actAt(options.now)
  return {
    list: (stretch) => list(options, stretch),
    show: async (id) => options.managed().find((one) => one.id === id) ?? shownOf(await hostedRecord(options, id)),
    add: (wish, actor) => add(options, act, wish, actor),
    replace: (id, wish, actor) => replace(options, act, { id, wish }, actor),
    inspect: (privateKey) => inspectHanded(privateKey, options),
    async check(id, actor) {
      const get = isManaged(options, id) ? options.managedGet(id) : await hostedGet(options, id)
      const proof = await prove(get)
      await options.record(act(actor, 'connections.check', id, { found: proof.code ?? 'ok' }))
      return proof
    },
    remove: (id, actor) => remove(options, act, id, actor),
  }
}

interface Replacing {
  readonly id: string
  readonly wish: CredentialWish
}
