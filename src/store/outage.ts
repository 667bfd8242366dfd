// What machines over one database agree on beside it, as ports: who is told of what is taken away, and what lets reads go on
// while the database cannot be asked. Both are provided by `replicas`, and only where the settings name a Redis.

/** Told of every act that takes something away or narrows it. */
export interface Takings {
  /** before it is done: tried once */
  announce(): Promise<void>
  /** after it was done, or may have been, and before anybody hears of that: a second at most */
  tell(): Promise<void>
}

/** When a record was looked for, and what stood then. */
export interface Confirmation {
  readonly at: number
  readonly stamp: string | undefined
}

/** Hears how the database answers, and says what may be believed while it does not. */
export interface Vigil {
  /** throws while it is away; `ended` is told whether the server has answered */
  setOut(): (answered: boolean, reason?: string) => void
  isAway(): boolean
  /** whether it failed to answer just now, or is away */
  isDoubted(): boolean
  /** it lets somebody wait */
  doubt(reason: string): void
  /** what a record that is looked for now will have been confirmed under */
  readonly stamp: () => string | undefined
  /** whether nothing was taken away since, as far as anybody was told; and it is not too long ago */
  vouches(what: Confirmation): Promise<boolean>
  /** whether what was found lately can be read on */
  readsGoOn(): Promise<boolean>
}

/** filled in after the opening, since the others are known by what the store holds */
export interface Attended {
  takings?: Takings | undefined
  vigil?: Vigil | undefined
}
