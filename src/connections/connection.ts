// A connection as the facade reads through it, and as people may see it: never with anything of its key.
import { hash } from 'node:crypto'
import type { Line } from '../engine/port.ts'
import { associate } from '../sealed.ts'
import type { CacheSeconds } from '../setting-values.ts'
import type { ConnectionRecord, KeyRecord } from '../store/records.ts'
import type { Credential } from './credential.ts'

/** Opens a connection's line to the platform; without an identity it has nothing in common with any other process. */
export type Bind = (credential: Credential, connection: string, identity?: string) => Line

/** of all that makes a connection what it is: the same in every process, and another as soon as any of it is another */
export const identityOf = (kind: ShownConnection['kind'], ...parts: readonly (string | number | null)[]): string =>
  hash('sha256', associate(kind, ...parts.map((part) => JSON.stringify(part))), 'base64url')

export interface Connection extends Line {
  readonly id: string
  /** tells this account from any other that ever had the id: what was remembered of one is no use to the other */
  readonly account: string
  readonly identity: string
  /** whether to-one relationships are asked for */
  readonly linkage: boolean
  /** how long answers may be remembered, where the connection says so itself: for all groups, or by group */
  readonly cacheSeconds?: CacheSeconds
}

/** of a facade key */
export type Grants = Pick<KeyRecord, 'connections' | 'accounts'>

export interface SortedGrants {
  readonly live: readonly string[]
  readonly ended: readonly string[]
}

export interface Connections {
  /** rejects with a Problem where there is one that cannot be used */
  find(id: string): Promise<Connection | undefined>
  /** the same for a facade key: what it was not granted is not looked for, and another account of that name not opened */
  findGranted(grants: Grants, id: string): Promise<Connection | undefined>
  /** of the connections that a key names: those that it reads, and those that were removed or have another account now */
  sortGrants(grants: Grants): Promise<SortedGrants>
  /** of all that are there, in order */
  ids(): Promise<readonly string[]>
  /** whether it is kept in the settings */
  isManaged(id: string): boolean
  /** those that have been read through lately, and therefore have a state */
  opened(): readonly Connection[]
}

/** where the operator keeps a managed one */
export interface Source {
  /** name of the settings file, or of the variable; null: of neither */
  readonly settings: string | null
  /** as the settings have it; null where it cannot be read: it may be a secret, typed in place of a path */
  readonly privateKeyFile: string | null
}

export interface ShownConnection {
  readonly id: string
  /** kept in the settings, or in the store */
  readonly kind: 'managed' | 'hosted'
  readonly keyId: string
  readonly issuerId: string | null
  /** SHA-256 of the public key, in hex; null where the key file cannot be read */
  readonly fingerprint: string | null
  readonly linkage: 'asked' | null
  readonly tokenScope: 'request' | null
  /** null for hosted ones */
  readonly source: Source | null
  readonly createdAt: number | null
  readonly replacedAt: number | null
  readonly lastUsedAt: number | null
}

/** a hosted one */
export function shownOf(record: ConnectionRecord): ShownConnection {
  const { id, keyId, issuerId, fingerprint, linkage, tokenScope, createdAt, replacedAt, lastUsedAt } = record
  return {
    ...{ id, kind: 'hosted', keyId, issuerId, fingerprint, linkage, tokenScope, source: null },
    ...{ createdAt, replacedAt, lastUsedAt },
  }
}
