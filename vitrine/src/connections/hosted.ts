// Hosted connections as callers use them: read from the store, decrypted by the vault, kept open until their row changes.
import { LRUCache } from 'lru-cache'
import type { Observe } from '../events.ts'
import { Problem } from '../problems.ts'
import { connectionId } from '../connection-settings.ts'
import type { ConnectionRecord } from '../store/records.ts'
import type { ConnectionRecords } from '../store/connection-rows.ts'
import { type BindUpstream, type Connection, identityOf } from './connection.ts'
import type { Credential } from '../platform/auth/signer.ts'
import { boundMembers, UnreadableCredential, type Vault } from './vault.ts'

/** least recently used first out; each is 13 KB of a heap of 384 MB */
const mostOpen = 12_000

interface Open {
  readonly record: ConnectionRecord
  readonly connection: Connection
}

export interface HostedOptions {
  readonly records: ConnectionRecords
  readonly vault: () => Vault | undefined
  readonly bind: BindUpstream
  readonly observe: Observe
  readonly used: (record: ConnectionRecord) => void
}

export type Hosted = ReturnType<typeof createHosted>

/** an edited row may hold any type */
const same = (a: unknown, b: unknown): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0

/** ignores `lastUsedAt` */
function isUnchanged(a: ConnectionRecord, b: ConnectionRecord): boolean {
  if (a === b) return true
  const { wrapped, sealed, lastUsedAt, ...rest } = a
  void lastUsedAt
  const names = Object.keys(rest) as (keyof typeof rest)[]
  return names.every((name) => rest[name] === b[name]) && same(wrapped, b.wrapped) && same(sealed, b.sealed)
}

export const hostedCredential = (
  { keyId, issuerId, tokenScope }: Pick<ConnectionRecord, 'keyId' | 'issuerId' | 'tokenScope'>,
  key: Credential['key'],
): Credential => ({ keyId, key, ...(issuerId !== null && { issuerId }), ...(tokenScope && { tokenScope }) })

export function openCredential(vault: Vault | undefined, record: ConnectionRecord): Credential {
  if (!vault) throw new UnreadableCredential('master_key_unknown')
  return hostedCredential(record, vault.open(record))
}

export function createHosted({ records, vault, bind, observe, used }: HostedOptions) {
  const opened = new LRUCache<string, Open>({ max: mostOpen })

  function keep(open: Open): Connection {
    opened.set(open.record.id, open)
    return open.connection
  }

  function connect(record: ConnectionRecord, credential: Credential): Connection {
    const { id, epoch, linkage } = record
    const identity = identityOf('hosted', ...boundMembers(record))
    return { id, account: epoch, identity, linkage: linkage !== null, ...bind(credential, id, identity) }
  }

  function open(record: ConnectionRecord): Connection {
    const { id } = record
    const held = opened.get(id)
    if (held && isUnchanged(held.record, record)) return keep(held)
    opened.delete(id)
    try {
      const credential = openCredential(vault(), record)
      const rewrapped = held && isUnchanged({ ...held.record, ...wrapOf(record) }, record)
      // only the master key changed: its tokens stay valid
      return keep({ record, connection: rewrapped ? held.connection : connect(record, credential) })
    } catch (error) {
      if (!(error instanceof UnreadableCredential)) throw error
      observe({ kind: 'unreadable', connection: id, reason: error.message })
      throw new Problem('connection_unreadable', { cause: error.message })
    }
  }

  return {
    /** Rejects with a Problem if the row cannot be decrypted. `account`: a row of another one is not opened. */
    async find(id: string, account?: string): Promise<Connection | undefined> {
      // no row has another form, and a database may reject the text
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
    forget: (id: string) => void opened.delete(id),
    all: () => [...opened.values()].map(({ connection }) => connection),
    async sweep() {
      if (opened.size === 0) return
      // a snapshot: a connection opened meanwhile is current
      const before = [...opened]
      const live = await records.stamps(before.map(([id]) => id))
      for (const [id, open] of before) {
        const { record } = open
        const stamp = live.get(id)
        if (opened.peek(id) !== open) continue
        if (stamp?.epoch !== record.epoch || stamp.version !== record.version) opened.delete(id)
      }
    },
  }
}

const wrapOf = ({ masterKey, wrapped }: ConnectionRecord) => ({ masterKey, wrapped })
