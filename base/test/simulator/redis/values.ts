// What a Redis keeps under its names, and when each ends. Texts are strings of bytes.

export class RedisError extends Error {
  override name = 'RedisError'
}

export class Status {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type RedisAnswer = string | number | null | Status | RedisError | readonly RedisAnswer[]

export type Value = string | Map<string, string> | Map<string, number>

interface Entry {
  value: Value
  kind: 'string' | 'hash' | 'zset'
  endsAt: number
}

export const ok = new Status('OK')

export class Values {
  #entries = new Map<string, Entry>()
  readonly #now: () => number

  /** milliseconds of the server's clock */
  constructor(now: () => number) {
    this.#now = now
  }

  get(name: string): Entry | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined || this.#now() <= entry.endsAt) return entry
    this.#entries.delete(name)
    return undefined
  }

  /** throws if it is of another kind */
  #of(name: string, kind: Entry['kind']): Entry | undefined {
    const entry = this.get(name)
    if (entry && entry.kind !== kind)
      throw new RedisError('WRONGTYPE Operation against a key holding the wrong kind of value')
    return entry
  }

  text(name: string): string | undefined {
    return this.#of(name, 'string')?.value as string | undefined
  }

  hash(name: string): Map<string, string> | undefined {
    return this.#of(name, 'hash')?.value as Map<string, string> | undefined
  }

  zset(name: string): Map<string, number> | undefined {
    return this.#of(name, 'zset')?.value as Map<string, number> | undefined
  }

  /** keeps the end that it has, unless another is given */
  put(name: string, kind: Entry['kind'], value: Value, endsAt = this.get(name)?.endsAt ?? Infinity) {
    this.#entries.set(name, { kind, value, endsAt })
  }

  /** removes it too where a list of nothing is left */
  tidy(name: string, { size }: { readonly size: number }) {
    if (size === 0) this.#entries.delete(name)
  }

  delete(name: string): boolean {
    return this.get(name) !== undefined && this.#entries.delete(name)
  }

  endAt(name: string, endsAt: number): boolean {
    const entry = this.get(name)
    if (!entry) return false
    if (endsAt <= this.#now()) this.#entries.delete(name)
    else entry.endsAt = endsAt
    return true
  }

  /** -2: nothing there; -1: it does not end */
  leftMs(name: string): number {
    const entry = this.get(name)
    if (!entry) return -2
    return entry.endsAt === Infinity ? -1 : Math.max(0, entry.endsAt - this.#now())
  }

  /** of a name that is there; infinite: never */
  endsAt(name: string): number | undefined {
    return this.get(name)?.endsAt
  }

  names(): string[] {
    return [...this.#entries.keys()].filter((name) => this.get(name))
  }

  copy(): ReadonlyMap<string, Entry> {
    return new Map(
      Array.from(this.#entries, ([name, { kind, value, endsAt }]) => [
        name,
        { kind, endsAt, value: typeof value === 'string' ? value : (new Map(value as Map<string, string>) as Value) },
      ]),
    )
  }

  restore(copy: ReturnType<Values['copy']>) {
    this.#entries = new Map(copy)
  }
}
