// A connection as the service reads through it, and as operators see it: never with any part of its key.
import { hash } from 'node:crypto'
import type { Upstream } from '../platform/port.ts'
import { associate } from '../../../base/core/seal.ts'
import type { CacheSeconds } from '../connection-settings.ts'
import type { ConnectionRecord } from '../store/records.ts'
import type { Credential } from '../platform/auth/signer.ts'

/** Opens a connection's platform client; without an identity it shares nothing with other processes. */
export type BindUpstream = (credential: Credential, connection: string, identity?: string) => Upstream

export const identityOf = (kind: ShownConnection['kind'], ...parts: readonly (string | number | null)[]): string =>
  hash('sha256', associate(kind, ...parts.map((part) => JSON.stringify(part))), 'base64url')

export interface Connection extends Upstream {
  readonly id: string
  /** differs for every account that ever had this id, so nothing cached or granted for one serves another */
  readonly account: string
  readonly identity: string
  readonly linkage: boolean
  /** overrides the setting: one value, or one for each group */
  readonly cacheSeconds?: CacheSeconds
}

export interface Connections {
  /** Rejects with a Problem if the connection exists and cannot be used. `account`: that of another one is not opened. */
  find(id: string, account?: string): Promise<Connection | undefined>
  ids(): Promise<readonly string[]>
  isManaged(id: string): boolean
  opened(): readonly Connection[]
}

export interface SettingsSource {
  readonly settings: string | null
  /** null if it cannot be read: it may be a secret typed in place of a path */
  readonly privateKeyFile: string | null
}

export interface ShownConnection {
  readonly id: string
  readonly kind: 'managed' | 'hosted'
  readonly keyId: string
  readonly issuerId: string | null
  /** SHA-256 of the public key, in hex; null if the key file cannot be read */
  readonly fingerprint: string | null
  readonly linkage: 'asked' | null
  readonly tokenScope: 'request' | null
  readonly source: SettingsSource | null
  readonly createdAt: number | null
  readonly replacedAt: number | null
  readonly lastUsedAt: number | null
}

export function shownHosted(record: ConnectionRecord): ShownConnection {
  const { id, keyId, issuerId, fingerprint, linkage, tokenScope, createdAt, replacedAt, lastUsedAt } = record
  return {
    id,
    kind: 'hosted',
    keyId,
    issuerId,
    fingerprint,
    linkage,
    tokenScope,
    source: null,
    createdAt,
    replacedAt,
    lastUsedAt,
  }
}
