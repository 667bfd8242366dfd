// How replicas over one database cooperate while it is down: how they learn of revocations, and whether cached records may be
// used. Implemented in `replicas`; without Redis, nothing is cached for longer.

export interface RevocationNotices {
  announce(): Promise<void>
  /** after the act, and before it is confirmed to anyone; takes a second at most */
  publish(): Promise<void>
}

export interface Confirmation {
  readonly at: number
  readonly mark: string | undefined
}

export interface DatabaseHealth {
  /** throws while the database is down; the result reports whether the server answered */
  beginQuery(): (answered: boolean, reason?: string) => void
  isDown(): boolean
  isSuspect(): boolean
  suspect(reason: string): void
  readonly mark: () => string | undefined
  /** whether nothing was revoked since, as far as published, and the reading is recent enough */
  confirms(what: Confirmation): Promise<boolean>
  readsContinue(): Promise<boolean>
}

export interface OutageParts {
  revocations?: RevocationNotices | undefined
  health?: DatabaseHealth | undefined
}
