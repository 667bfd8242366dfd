// The port of the audit log: what an entry says, and how entries are appended, read, verified and pruned.

export interface Actor {
  /** `operator:…`, `cli:…`, or the id of a facade key */
  readonly who: string
  readonly from: string
  readonly requestId: string | null
}

/** A change or its refusal. Names and codes only: no secret, no personal data. */
export interface AuditEntry extends Actor {
  readonly at: number
  readonly act: string
  readonly target: string | null
  readonly outcome: 'done' | 'denied'
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>
}

export interface AuditRecord extends AuditEntry {
  readonly seq: number
  /** SHA-256 over the line before and this one, in hex: an edited or missing line breaks the chain */
  readonly hash: string
}

export interface AuditFilter {
  readonly before?: number | undefined
  readonly from?: number | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly limit: number
  /** an act such as `keys.revoke`, or the first word of several, such as `keys` */
  readonly act?: string | undefined
  readonly without?: string | undefined
  readonly target?: string | undefined
  readonly who?: string | undefined
  /** who acted, or what was acted on */
  readonly about?: string | undefined
  readonly outcome?: AuditEntry['outcome'] | undefined
}

export interface Anchor {
  readonly through: number
  readonly hash: string
  readonly fromAt: number
  readonly toAt: number
  readonly prunedAt: number
  readonly line: number
  readonly lineHash: string
  /** id of a master key; null: a secret in the store itself */
  readonly sealedBy: string | null
}

/** Keys outside the store: write access to the database alone cannot forge what they seal. */
export interface Seals {
  readonly writes: string
  macOf(id: string, bytes: Uint8Array): Uint8Array | undefined
}

export interface Keeping {
  readonly days: number
  readonly lines: number
}

export interface Pruned {
  readonly lines: number
  readonly through: number
  readonly hash: string
}

export interface Verified {
  readonly lines: number
  readonly brokenAt: number | undefined
  /** undefined: never pruned. `fault`: why the anchor cannot be trusted */
  readonly anchor?: Anchor & { readonly fault: string | undefined }
}

export interface AuditRecords {
  /** all or none, in this order */
  append(entries: readonly AuditEntry[]): Promise<void>
  /** the same for frequent lines: a slow disk delays nothing else */
  gather(entries: readonly AuditEntry[]): Promise<void>
  page(filter: AuditFilter): Promise<AuditRecord[]>
  head(): Promise<number>
  latestOf(acts: readonly string[]): Promise<number>
  verify(seals?: Seals): Promise<Verified>
  anchor(): Promise<Anchor | undefined>
  /** Marks the oldest lines as pruned and records that; undefined: none is due. Rejects with the reason against it. */
  prune(keep: Keeping, now: number, seals?: Seals): Promise<Pruned | undefined>
  removePruned(): Promise<boolean>
  reseal(seals: Seals): Promise<string | undefined>
}
