// A connection as the facade reads through it, and as people may see it: never with anything of its key.
import type { Line } from '../engine/port.ts'
import type { CacheSeconds } from '../setting-values.ts'
import type { ConnectionRecord } from '../store/records.ts'
import type { Credential } from './credential.ts'

/** Opens a connection's line to the platform. */
export type Bind = (credential: Credential, connection: string) => Line

export interface Connection extends Line {
  readonly id: string
  /** tells this account from any other that ever had the id: what was remembered of one is no use to the other */
  readonly account: string
  /** whether to-one relationships are asked for */
  readonly linkage: boolean
  /** how long answers may be remembered, where the connection says so itself: for all groups, or by group */
  readonly cacheSeconds?: CacheSeconds
}

export interface Connections {
  /** rejects with a Problem where there is one that cannot be used */
  find(id: string): Promise<Connection | undefined>
  /** which of these are there, in their order */
  present(ids: readonly string[]): Promise<readonly string[]>
  /** of all that are there, in order */
  ids(): Promise<readonly string[]>
  /** those that have been read through lately, and therefore have a state */
  opened(): readonly Connection[]
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
  readonly createdAt: number | null
  readonly replacedAt: number | null
  readonly lastUsedAt: number | null
}

/** a hosted one */
export function shownOf(record: ConnectionRecord): ShownConnection {
  const { id, keyId, issuerId, fingerprint, linkage, tokenScope, createdAt, replacedAt, lastUsedAt } = record
  return { id, kind: 'hosted', keyId, issuerId, fingerprint, linkage, tokenScope, createdAt, replacedAt, lastUsedAt }
}
