// The one thing the engine needs from outside: a way to read the platform. Whoever provides it owns tokens, sockets and time.

/** One GET of the platform. */
export interface PlatformRead {
  /** path and query, ready to send */
  readonly target: string
  readonly accept: string
  /** platform parameter -> the caller's parameter that it came from */
  readonly given: ReadonlyMap<string, string>
}

/** Answers the whole parsed JSON of a 200, integers exact; every other outcome rejects with a Problem. */
export type Get = (read: PlatformRead) => Promise<unknown>

/** The same for one connection; the signal carries the deadline of the whole facade request. */
export type BoundGet = (read: PlatformRead, signal: AbortSignal) => Promise<unknown>

export type JsonObject = Readonly<Record<string, unknown>>

/** a JSON object: no list, no null, no number kept as text */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
