// The types of parameters and results, and of operations as data.

/** One of the known values, or one that the platform added later. */
export type Known<Values extends string> = Values | (string & {})

/** A result with the id of its request, which is not enumerable, so that the result stays as it was sent. */
export type Answered<T> = T & { readonly requestId: string }

/** A resource reduced to `fields` and `id`. Without `fields`, all of it. */
export type Selected<T extends { readonly id: string }, Field extends keyof T> = [Field] extends [never]
  ? T
  : Pick<T, 'id' | Field>

/** One page of a list. It is the last one only if `nextCursor` is null. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export interface QueryInfo {
  readonly kind: 'filter' | 'sort' | 'fields' | 'limit' | 'cursor'
  /** a closed list */
  readonly values?: readonly string[]
  /** of `limit` */
  readonly maximum?: number
}

/** The parameters of an operation, for programs that learn its name at run time. */
export interface OperationInfo {
  /** below the connection */
  readonly path: string
  readonly shape: 'one' | 'page' | 'ids' | 'id'
  readonly pathParameters: readonly string[]
  readonly query: Readonly<Record<string, QueryInfo>>
}

/** The part of `fetch` that the client uses. */
export type Fetch = (
  address: string,
  init: {
    readonly method: 'GET'
    readonly headers: Record<string, string>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<Response>

export interface CallOptions {
  /** aborts the call, which rejects with the signal's reason */
  readonly signal?: AbortSignal | undefined
  /** for the whole call with its repeats; for each page of a list. Infinity: no deadline */
  readonly timeoutMs?: number | undefined
  /** how often a failed call is repeated */
  readonly retries?: number | undefined
  /** another connection than the instance's */
  readonly connection?: string | undefined
}

export interface VitrineOptions extends CallOptions {
  /** the address of the service, such as `https://vitrine.example.com` */
  readonly url: string
  /** the facade key, which is sent to this address in one header and written nowhere else */
  readonly key: string
  /** replaces the runtime's own */
  readonly fetch?: Fetch | undefined
  readonly userAgent?: string | undefined
  /** allows plain http to another machine: others on the network can read the key */
  readonly insecure?: boolean | undefined
  /** instead of JSON.parse, which rounds integers beyond 2^53 */
  readonly parse?: ((text: string) => unknown) | undefined
}
