// Hosted connections as callers use them: found in the store, opened by the vault, kept open while their row stays as it is.
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import { connectionId } from '../setting-values.ts'
import type { ConnectionRecord, ConnectionRecords } from '../store/records.ts'
import { type Bind, type Connection, identityOf } from './connection.ts'
import type { Credential } from './credential.ts'
import { Unreadable, type Vault } from './vault.ts'

/** opened keys that are kept; the one used longest ago goes first. With its line each is 13 KB of a heap of 384 MB */
const mostOpen = 12_000

interface Open {
  readonly record: ConnectionRecord
  readonly connection: Connection
}

export interface HostedOptions {
  readonly records: ConnectionRecords
  /** undefined without master keys */
  readonly vault: () => Vault | undefined
  readonly bind: Bind
  readonly observe: Observe
  /** told of every connection that was read through */
  readonly used: (record: ConnectionRecord) => void
}

export interface Hosted {
  /** Rejects with a Problem where the row is there and cannot be opened. `account`: the row of another is not opened. */
  find(id: string, account?: string): Promise<Connection | undefined>
  /** lets go of what was opened and is no longer in the store as it was */
  sweep(): Promise<void>
  readonly forget: (id: string) => void
  /** those that are open */
  all(): readonly Connection[]
}

/** an edited row may hold anything in the place of bytes */
const same = (a: unknown, b: unknown): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0

/** that nothing of a row has changed but when it was last used */
function isUnchanged(a: ConnectionRecord, b: ConnectionRecord): boolean {
  if (a === b) return true
  const { wrapped, sealed, lastUsedAt, ...rest } = a
  void lastUsedAt
  const names = Object.keys(rest) as (keyof typeof rest)[]
  return names.every((name) => rest[name] === b[name]) && same(wrapped, b.wrapped) && same(sealed, b.sealed)
}

export const credentialOf = (
  { keyId, issuerId, tokenScope }: Pick<ConnectionRecord, 'keyId' | 'issuerId' | 'tokenScope'>,
  key: Credential['key'],
): Credential => ({ keyId, key, ...(issuerId !== null && { issuerId }), ...(tokenScope && { tokenScope }) })

/** all but how it is sealed, and when it was last used */
function identityOfRow(record: ConnectionRecord): string {
  const { id, epoch, version, keyId, issuerId, fingerprint, linkage, tokenScope, createdAt, replacedAt } = record
  return identityOf(
    'hosted',
    id,
    epoch,
    version,
    keyId,
    issuerId,
    fingerprint,
    linkage,
    tokenScope,
    createdAt,
    replacedAt,
  )
}

export function openRecord(vault: Vault | undefined, record: ConnectionRecord): Credential {
  if (!vault) throw new Unreadable('master_key_unknown')
  return credentialOf(record, vault.open(record))
}

export function createHosted({ records, vault, bind, observe, used }: HostedOptions): Hosted {
  // in the order of use
  const opened = new Map<string, Open>()

  function keep(open: Open): Connection {
    opened.delete(open.record.id)
    opened.set(open.record.id, open)
    for (const [id] of opened) {
      if (opened.size <= mostOpen) break
      opened.delete(id)
    }
    return open.connection
  }

  function connect(record: ConnectionRecord, credential: Credential): Connection {
    const { id, epoch, linkage } = record
    const identity = identityOfRow(record)
    return { id, account: epoch, identity, linkage: linkage !== null, ...bind(credential, id, identity) }
  }

  function open(record: ConnectionRecord): Connection {
    const { id } = record
    const held = opened.get(id)
    if (held && isUnchanged(held.record, record)) return keep(held)
    opened.delete(id)
    try {
      const credential = openRecord(vault(), record)
      const rewrapped = held && isUnchanged({ ...held.record, ...wrapOf(record) }, record)
      // another master key and the same credential: its tokens stay good
      return keep({ record, connection: rewrapped ? held.connection : connect(record, credential) })
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      observe({ kind: 'unreadable', connection: id, reason: error.message })
      throw new Problem('connection_unreadable', { cause: error.message })
    }
  }

  return {
    async find(id, account) {
      // no row of ours has another form, and a database may refuse to look for it
      if (!connectionId.test(id)) return undefined
      const record = await records.find(id)
      if (!record) {
        opened.delete(id)
        return undefined
      }
      if (account !== undefined && record.epoch !== account) return undefined
      const connection = open(record)
      used(record)
      return connection
    },
    forget: (id) => void opened.delete(id),
    all: () => [...opened.values()].map(({ connection }) => connection),
    async sweep() {
      if (opened.size === 0) return
      // as they are now: who is opened meanwhile has just been looked up
      const before = [...opened]
      const live = await records.stamps(before.map(([id]) => id))
      for (const [id, open] of before) {
        const { record } = open
        const stamp = live.get(id)
        if (opened.get(id) !== open) continue
        if (stamp?.epoch !== record.epoch || stamp.version !== record.version) opened.delete(id)
      }
    },
  }
}

const wrapOf = ({ masterKey, wrapped }: ConnectionRecord) => ({ masterKey, wrapped })
