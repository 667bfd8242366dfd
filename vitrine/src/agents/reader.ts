// How tools read. Implemented twice: inside the service for `POST /mcp`, and over HTTP for `vitrine mcp`.

export type Params = Readonly<Record<string, unknown>>

export interface ReadRequest {
  readonly operation: string
  readonly connection: string
  /** parameters of path and query together, by the catalogue's names */
  readonly params: Params
}

export interface ReadAnswer {
  readonly body: unknown
  readonly requestId: string | undefined
}

export interface ReadRefusal {
  readonly error: ErrorBody
}

export interface KeyReach {
  readonly connections: readonly string[]
  readonly groups: readonly string[]
  /** absent in answers of older services, which show it to every key */
  readonly personal?: boolean
  /** of a key for some apps */
  readonly apps?: readonly string[] | null
}

export interface Reader {
  /** the address of the service as the caller knows it, for links to pages about errors */
  readonly origin: string
  whoami(signal: AbortSignal): Promise<KeyReach>
  read(request: ReadRequest, signal: AbortSignal): Promise<ReadAnswer | ReadRefusal>
  readonly connection?: string | undefined
  /** of the request that carried the call, for refusals by the tools themselves */
  readonly requestId?: string
  /** takes unexpected errors; the agent sees only `internal_error` */
  readonly failed?: (error: unknown) => void
}

/** the service's error body: what stands under `error` */
export interface ErrorBody {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly requestId?: string
  readonly docUrl?: string
  readonly param?: string
  readonly details?: unknown
  readonly retryAfterSec?: number
}

export class ReadRefused extends Error {
  readonly body: ErrorBody

  constructor(body: ErrorBody) {
    super(body.message)
    this.name = 'ReadRefused'
    this.body = body
  }
}

export async function readOrThrow(reader: Reader, request: ReadRequest, signal: AbortSignal): Promise<ReadAnswer> {
  const answer = await reader.read(request, signal)
  if ('error' in answer) throw new ReadRefused(answer.error)
  return answer
}
