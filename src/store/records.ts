// The store's port: what is remembered across restarts, and by which acts. One suite of tests holds every driver to it.

export interface KeyRecord {
  readonly id: string
  readonly name: string
  /** SHA-256 of the whole key; the key itself is never stored */
  readonly digest: Uint8Array
  /** connection ids, or `*` for all */
  readonly connections: readonly string[]
  readonly groups: readonly string[]
  /** requests a minute; null: the installation's own limit */
  readonly perMinute: number | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

export interface KeyRecords {
  add(record: KeyRecord): Promise<void>
  find(id: string): Promise<KeyRecord | undefined>
  /** oldest first */
  list(): Promise<KeyRecord[]>
  /** false where there is no such key, or it was revoked before */
  revoke(id: string, at: number): Promise<boolean>
}

export interface Store {
  readonly keys: KeyRecords
  /** a secret that this installation made for itself: the same for every process over the same store */
  secret(name: string): Promise<Uint8Array>
  /** rejects when the store cannot be read */
  check(): Promise<void>
  close(): Promise<void>
}
