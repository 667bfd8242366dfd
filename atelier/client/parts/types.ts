// The types of options and answers, and of operations as data.

/** One of the known values, or one that the service added later. */
export type Known<Values extends string> = Values | (string & {})

/** An answer with the id of its request, which is not enumerable, so that the answer stays as it was sent. */
export type Answered<T> = T & { readonly requestId: string }

/** One page of a list. It is the last one only if `nextCursor` is null. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** What is sent as a file, a tar or a build context. Only a stream cannot be sent a second time. */
export type Content = string | Uint8Array | Blob | ReadableStream<Uint8Array>

/** What a command puts out, as it comes. `exit` is the last one. `lost`: lines of a kept command that memory had no room for. */
export type CommandEvent =
  | { readonly type: 'start'; readonly execId: string; readonly at: string }
  | { readonly type: 'stdout' | 'stderr'; readonly seq: number; readonly data: string }
  | { readonly type: 'lost'; readonly firstSeq: number; readonly lastSeq: number }
  | {
      readonly type: 'exit'
      readonly exitCode: number
      readonly signal: string | null
      readonly timedOut: boolean
      readonly oomKilled: true | null
      readonly durationMs: number
      readonly stdoutBytes: number
      readonly stderrBytes: number
      /** set where the engine may have lost output */
      readonly stdoutTruncated?: boolean
      readonly stderrTruncated?: boolean
    }

/** What the log of a build holds. `end` is the last one. */
export type LogEvent =
  | {
      readonly type: 'log'
      readonly seq: number
      readonly at: string
      readonly step: number | null
      readonly stream: 'stdout' | 'stderr' | 'service'
      readonly data: string
    }
  | { readonly type: 'truncated'; readonly seq: number; readonly at: string }
  | { readonly type: 'end'; readonly status: string }

/** A file as it comes. Its body ends with an error if it breaks off. */
export interface FileAnswer {
  readonly body: ReadableStream<Uint8Array>
  readonly sizeBytes: number
  /** such as `0644` */
  readonly mode: string
  /** RFC 3339 */
  readonly modifiedAt: string
  readonly requestId: string
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
}

/** A directory as a tar, as it comes. */
export interface TreeAnswer {
  readonly body: ReadableStream<Uint8Array>
  readonly requestId: string
}

/** An operation, for programs that learn its name at run time. */
export interface OperationInfo {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** where the parameters go */
  readonly input: 'query' | 'json'
  /** takes an Idempotency-Key */
  readonly isIdempotent: boolean
}

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly redirect: 'manual'
  readonly signal: AbortSignal
  readonly body?: any
  /** of a body that is a stream */
  readonly duplex?: 'half'
}

/** The part of `fetch` that the client uses. */
export type Fetch = (address: string, init: FetchInit) => Promise<Response>

export interface CallOptions {
  /** aborts the call, which rejects with the signal's reason; a command that it runs is killed */
  readonly signal?: AbortSignal | undefined
  /** for the whole call with its repeats, but not for what is streamed. Infinity: no deadline */
  readonly timeoutMs?: number | undefined
  /** how often a failed call is repeated where that is safe */
  readonly retries?: number | undefined
  /** instead of a random one, where an operation takes it: the same in two programs makes one object */
  readonly idempotencyKey?: string | undefined
}

export interface AtelierOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** the address of the service, such as `https://atelier.example.com` */
  readonly url: string
  /** the API key, which is sent to this address in one header and written nowhere else */
  readonly key: string
  /** replaces the runtime's own */
  readonly fetch?: Fetch | undefined
  readonly userAgent?: string | undefined
  /** allows plain http to another machine: others on the network can read the key */
  readonly insecure?: boolean | undefined
}
