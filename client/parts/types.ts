// What callers hand in and get back, and how an operation is told at run time.

/** One of the known values, or one that the platform has added since. */
export type Known<Values extends string> = Values | (string & {})

/** A result, and the id of the request that brought it: not enumerable, so that the result stays what was sent. */
export type Answered<T> = T & { readonly requestId: string }

/** What is left of a resource when `fields` names attributes: those and `id`. Without `fields`, everything. */
export type Selected<T extends { readonly id: string }, Field extends keyof T> = [Field] extends [never]
  ? T
  : Pick<T, 'id' | Field>

/** One page of a list. Only a page whose `nextCursor` is null is the last one. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export interface QueryInfo {
  readonly kind: 'filter' | 'sort' | 'fields' | 'limit' | 'cursor'
  /** when present, the service takes nothing else */
  readonly values?: readonly string[]
  /** of `limit` */
  readonly maximum?: number
}

/** What an operation is called with, for programs that learn its name at run time. */
export interface OperationInfo {
  /** below the connection */
  readonly path: string
  readonly shape: 'one' | 'page' | 'ids' | 'id'
  readonly pathParameters: readonly string[]
  readonly query: Readonly<Record<string, QueryInfo>>
}

/** As much of `fetch` as is used here. */
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
  /** ends the call; it then rejects with the signal's reason */
  readonly signal?: AbortSignal | undefined
  /** for the whole call, repeats included; of a list, for each page. Infinity: no deadline */
  readonly timeoutMs?: number | undefined
  /** how often a failed call is repeated */
  readonly retries?: number | undefined
  /** another connection than the instance's */
  readonly connection?: string | undefined
}

export interface VitrineOptions extends CallOptions {
  /** where the service is, such as `https://vitrine.example.com` */
  readonly url: string
  /** the facade key; it is sent in one header, to this address, and stands nowhere else */
  readonly key: string
  /** instead of the runtime's own */
  readonly fetch?: Fetch | undefined
  readonly userAgent?: string | undefined
  /** allows plain http to a machine that is not this one: everybody on the way can read the key */
  readonly insecure?: boolean | undefined
  /** instead of JSON.parse, which rounds integers beyond 2^53 */
  readonly parse?: ((text: string) => unknown) | undefined
}
