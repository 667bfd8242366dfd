// What the store holds: facade keys and hosted connections, whose changes are written together with their audit line or not at
// all, and the sums of each hour.

export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly note: string | null
  /** SHA-256 of the whole key, which is never stored itself */
  readonly digest: Uint8Array
  /** connection ids, or `*` for all */
  readonly connections: readonly string[]
  /** the account behind each named connection: '' for none, null where undecided (a key of an older version) */
  readonly accounts: ReadonlyMap<string, string | null>
  readonly groups: readonly string[]
  /** ids of the apps that it is for; null: all */
  readonly apps: readonly string[] | null
  /** whether it is shown personal data */
  readonly personal: boolean
  readonly perMinute: number | null
  /** null: no budget of its own */
  readonly platformCallsPerHour: number | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly replaces: string | null
  readonly lastUsedAt: number | null
}

export type Uses = ReadonlyMap<string, number>

export interface IdRange {
  readonly after: string
  readonly limit: number
}

/** A hosted connection. All but `masterKey`, `wrapped` and `lastUsedAt` is bound into the sealed bytes. */
export interface ConnectionRecord {
  readonly id: string
  /** random: distinguishes this account from any other that had the id */
  readonly epoch: string
  /** of the credential: 1, and one more with each replacement */
  readonly version: number
  readonly keyId: string
  readonly issuerId: string | null
  readonly fingerprint: string
  readonly linkage: 'asked' | null
  readonly tokenScope: 'request' | null
  readonly masterKey: string
  /** the encrypted data key */
  readonly wrapped: Uint8Array
  /** the private key, encrypted with the data key */
  readonly sealed: Uint8Array
  readonly createdAt: number
  readonly replacedAt: number | null
  readonly lastUsedAt: number | null
}

/** a data key under another master key; only where the row still holds `from` */
export type Rewrap = Pick<ConnectionRecord, 'id' | 'masterKey' | 'wrapped'> & { readonly from: Uint8Array }

/** by the number of the hour since 1970 */
export interface HourRecords {
  /** `merge`: the new text of an hour, from the stored one and what is added */
  add<T>(
    hours: ReadonlyMap<number, T>,
    merge: (stored: string | undefined, more: T) => string,
    oldest: number,
  ): Promise<void>
  since(hour: number): Promise<readonly { readonly hour: number; readonly sums: string }[]>
}
