// The store's port: what is remembered across restarts, and by which acts. One suite of tests holds every driver to it.
// Whoever changes something says who did it: the change and its line in the audit are written together or not at all. Long
// because each act has its lines here.
import type { Attended } from './outage.ts'

/** Who acts, and from where. */
export interface Actor {
  /** `operator:…`, `cli:…`, or the id of a facade key */
  readonly who: string
  /** an address, or the name of the machine */
  readonly from: string
  readonly requestId: string | null
}

/** One act of management, or one refusal of it, as the audit keeps it. Names and codes only: no secret, no tester's words. */
export interface Deed extends Actor {
  readonly at: number
  /** such as `connections.create` */
  readonly act: string
  /** the id of what was acted on */
  readonly target: string | null
  readonly outcome: 'done' | 'denied'
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>
}

export interface AuditRecord extends Deed {
  /** 1, 2, 3, … without a gap */
  readonly seq: number
  /** SHA-256 over the line before and this one, in hex: an edited or missing line breaks the chain */
  readonly hash: string
}

export interface AuditFilter {
  /** only lines before this one */
  readonly before?: number | undefined
  /** only this line and those after it */
  readonly from?: number | undefined
  /** only lines that were written at this moment or later */
  readonly since?: number | undefined
  /** only lines that were written before this moment */
  readonly until?: number | undefined
  readonly limit: number
  /** an act such as `keys.revoke`, or the first word of several, such as `keys` */
  readonly act?: string | undefined
  /** an act, or the first word of several, whose lines are left out */
  readonly without?: string | undefined
  readonly target?: string | undefined
  readonly who?: string | undefined
  readonly outcome?: Deed['outcome'] | undefined
}

/** Where an audit begins that was pruned. */
export interface Anchor {
  /** number and hash of the last line that is gone */
  readonly through: number
  readonly hash: string
  /** times of the first and the last line of this pruning */
  readonly fromAt: number
  readonly toAt: number
  readonly prunedAt: number
  /** the line that tells of it */
  readonly line: number
  readonly lineHash: string
  /** id of a master key; null: a secret that lies in the store itself */
  readonly sealedBy: string | null
}

/** Keys that are not in the store: who writes to the database alone cannot make what is sealed with them. */
export interface Seals {
  /** the id of the one that seals from now on */
  readonly writes: string
  /** undefined where this key is not given */
  macOf(id: string, bytes: Uint8Array): Uint8Array | undefined
}

/** how much of the audit is kept; 0: all */
export interface Keeping {
  readonly days: number
  readonly lines: number
}

export interface Pruned {
  readonly lines: number
  /** number and hash of the last one */
  readonly through: number
  readonly hash: string
}

export interface Verified {
  /** how many follow from the one before, from the beginning or the anchor on */
  readonly lines: number
  /** the first line that does not, or undefined where the chain is whole */
  readonly brokenAt: number | undefined
  /** absent: nothing was pruned. `fault`: why it cannot be believed */
  readonly anchor?: Anchor & { readonly fault: string | undefined }
}

export interface AuditRecords {
  /** all or none, in this order */
  append(deeds: readonly Deed[]): Promise<void>
  /** the same for lines that come all the time: a slow disk holds up nobody else */
  gather(deeds: readonly Deed[]): Promise<void>
  /** newest first */
  page(filter: AuditFilter): Promise<AuditRecord[]>
  /** the number of the last line; 0 where there is none. It grows with every change that anybody makes */
  head(): Promise<number>
  /** the number of the last line that tells of one of these acts; 0 where there is none */
  latestOf(acts: readonly string[]): Promise<number>
  verify(seals?: Seals): Promise<Verified>
  /** undefined: nothing was pruned */
  anchor(): Promise<Anchor | undefined>
  /** Marks the oldest lines as pruned, in one step with a line that says so; undefined where none is due. Rejects with what speaks against it. */
  prune(keep: Keeping, now: number, seals?: Seals): Promise<Pruned | undefined>
  /** removes some of the lines that are marked so; true: there may be more */
  removePruned(): Promise<boolean>
  /** seals the anchor with the key that writes; answers why that was not done */
  reseal(seals: Seals): Promise<string | undefined>
}

export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly note: string | null
  /** SHA-256 of the whole key; the key itself is never stored */
  readonly digest: Uint8Array
  /** connection ids, or `*` for all */
  readonly connections: readonly string[]
  /** the account behind each named connection: '' for none, null where it is not decided yet (a key of an older version) */
  readonly accounts: ReadonlyMap<string, string | null>
  readonly groups: readonly string[]
  /** requests a minute; null: the installation's own limit */
  readonly perMinute: number | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** the key that this one took over from */
  readonly replaces: string | null
  /** coarse: some minutes late */
  readonly lastUsedAt: number | null
}

/** id -> when */
export type Uses = ReadonlyMap<string, number>

/** where a listing goes on: after this id, in the order of ids */
export interface Stretch {
  readonly after: string
  readonly limit: number
}

export interface KeyRecords {
  add(record: KeyRecord, deed: Deed): Promise<void>
  /**
   * What was written elsewhere may be unseen for half a second. What is absent, or remembered and does not fit, was looked for
   * just now: both take as long.
   */
  find(id: string, fits?: (record: KeyRecord | undefined) => boolean): Promise<KeyRecord | undefined>
  /** past all memory: what management stands on */
  latest(id: string): Promise<KeyRecord | undefined>
  /** by id */
  page(stretch: Stretch): Promise<KeyRecord[]>
  /** oldest first */
  list(): Promise<KeyRecord[]>
  /** false where there is no such key, or it was revoked before */
  revoke(id: string, at: number, deed: Deed): Promise<boolean>
  /** adds the successor and lets the old key, which must be live at `at` and without a live successor, end at `endsAt`, or revokes it there and then; false where it is not */
  succeed(id: string, term: { at: number; endsAt: number | 'now' }, successor: KeyRecord, deed: Deed): Promise<boolean>
  used(uses: Uses): Promise<void>
  /** by id: keys that name a connection without an account */
  undecided(stretch: Stretch): Promise<KeyRecord[]>
  /** the accounts of these keys, all in one step; a key that somebody else decided meanwhile stays as it is */
  decide(changes: readonly Decision[]): Promise<void>
}

export interface Decision {
  readonly before: KeyRecord
  readonly accounts: KeyRecord['accounts']
}

/** A hosted connection. All but `masterKey`, `wrapped` and `lastUsedAt` is bound into the sealed bytes. */
export interface ConnectionRecord {
  readonly id: string
  /** random: tells this account from every other that ever had the id */
  readonly epoch: string
  /** of the credential: 1, and one more with each replacement */
  readonly version: number
  readonly keyId: string
  /** null for an individual key */
  readonly issuerId: string | null
  /** SHA-256 of the public key, in hex */
  readonly fingerprint: string
  readonly linkage: 'asked' | null
  readonly tokenScope: 'request' | null
  /** id of the master key that wraps the data key */
  readonly masterKey: string
  /** the data key, sealed with the master key */
  readonly wrapped: Uint8Array
  /** the private key, sealed with the data key */
  readonly sealed: Uint8Array
  readonly createdAt: number
  readonly replacedAt: number | null
  /** coarse: some minutes late */
  readonly lastUsedAt: number | null
}

/** a data key under another master key; only done where the row still holds `from` */
export interface Rewrap {
  readonly id: string
  readonly from: Uint8Array
  readonly masterKey: string
  readonly wrapped: Uint8Array
}

export interface ConnectionRecords {
  /** false where the id is taken */
  add(record: ConnectionRecord, deed: Deed): Promise<boolean>
  /** what was written elsewhere may be unseen for half a second; what is absent was looked for just now */
  find(id: string): Promise<ConnectionRecord | undefined>
  /** past all memory: what management stands on */
  latest(id: string): Promise<ConnectionRecord | undefined>
  /** which of these are there */
  present(ids: readonly string[]): Promise<readonly string[]>
  /** by id; with `notUnder`, only those whose data key is wrapped by another master key */
  page(stretch: Stretch & { notUnder?: string }): Promise<ConnectionRecord[]>
  /** of all, in order */
  ids(): Promise<readonly string[]>
  /** of those with this signing key, in order */
  withFingerprint(fingerprint: string): Promise<readonly string[]>
  /** epoch and version of these, by id: what tells whether something opened is still current */
  stamps(ids: readonly string[]): Promise<ReadonlyMap<string, { epoch: string; version: number }>>
  /** false where the row is no longer of the epoch and version before */
  replace(record: ConnectionRecord, before: { epoch: string; version: number }, deed: Deed): Promise<boolean>
  /** the row is gone afterwards; false where it was no longer of the epoch and version before */
  remove(id: string, before: { epoch: string; version: number }, deed: Deed): Promise<boolean>
  /** all in one step; answers how many rows were changed */
  rewrap(changes: readonly Rewrap[]): Promise<number>
  /** master key id -> how many data keys it wraps */
  wrappedBy(): Promise<ReadonlyMap<string, number>>
  used(uses: Uses): Promise<void>
}

/** The processes that serve over this store. Moments are the store's own: clocks of several machines differ. */
export interface ReplicaRecords {
  /** this one is alive; answers how many were heard lately, with this one */
  beat(id: string): Promise<number>
  /** how many were heard lately */
  count(): Promise<number>
  /** the same without a write, where none is taken: this one is known by the name of its session */
  show?(id: string): Promise<number>
  /** it ends, and counts no more */
  leave(id: string): Promise<void>
}

export interface ClaimOptions {
  /** another service has it, and is waited for */
  readonly waits: (mostMs: number) => void
  readonly mostMs?: number
}

export interface Store {
  /** for people: which driver and where, without a password */
  readonly place: string
  /** whether other machines may serve over it, too */
  readonly isShared: boolean
  readonly keys: KeyRecords
  readonly connections: ConnectionRecords
  readonly audit: AuditRecords
  readonly replicas: ReplicaRecords
  /** a secret of this installation, the same for every process over the same store: `first` is kept where there is none */
  secret(name: string, first?: Uint8Array): Promise<Uint8Array>
  /** the same, without making one */
  recall(name: string): Promise<Uint8Array | undefined>
  /** Rewrites the files, so that nothing of what was removed or replaced is left in them; false where that was not to be had. */
  compact(): Promise<boolean>
  /** rejects when the store cannot be read */
  check(): Promise<void>
  /** false: it cannot be read, and what was found in it lately is believed; rejects where neither is so */
  readable(): Promise<boolean>
  /** rejects where the server does not answer, asked past everybody who attends; PostgreSQL only */
  knock?(): Promise<void>
  /** milliseconds since 1970 by the clock that all who use the store share; PostgreSQL only */
  readonly now?: () => number
  /** whether its address led to a hot standby lately, of which nothing is believed; PostgreSQL only */
  readonly isStandby?: () => boolean
  /** makes this process the only service over it until it is closed, or rejects; SQLite only */
  claim?(options: ClaimOptions): Promise<void>
  /** from now on these are told of what is taken away, and asked what may be believed */
  attend(parts: Attended): void
  close(): Promise<void>
}
