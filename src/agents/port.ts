// What the tools stand on: the one pane through which an agent looks. Provided twice: inside the service, for its public
// door, and over HTTP, for `vitrine mcp`.

export type Params = Readonly<Record<string, unknown>>

export interface Asked {
  readonly operation: string
  readonly connection: string
  /** parameters of path and query, flat, by the catalogue's names */
  readonly params: Params
}

export interface Answered {
  /** exactly what the service says */
  readonly body: unknown
  readonly requestId: string | undefined
}

export interface Denied {
  readonly error: ErrorBody
}

/** what the key may do, as far as the tools ask */
export interface Holder {
  readonly connections: readonly string[]
  readonly groups: readonly string[]
}

export interface Glass {
  /** the address of the service for the caller: pages about errors stand below it */
  readonly origin: string
  whoami(signal: AbortSignal): Promise<Holder>
  /** one answer, or the service's refusal */
  read(asked: Asked, signal: AbortSignal): Promise<Answered | Denied>
  /** read where a call names none */
  readonly connection?: string | undefined
  /** of the request that the call came with, for refusals that are the tools' own */
  readonly requestId?: string
  /** what nobody foresaw; only told, the agent hears `internal_error` */
  readonly failed?: (error: unknown) => void
}

/** the error body of the service, as it stands under `error` */
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

/** the service has refused, or could not be reached */
export class Refused extends Error {
  readonly body: ErrorBody

  constructor(body: ErrorBody) {
    super(body.message)
    this.name = 'Refused'
    this.body = body
  }
}

export async function askThrough(glass: Glass, asked: Asked, signal: AbortSignal): Promise<Answered> {
  const answered = await glass.read(asked, signal)
  if ('error' in answered) throw new Refused(answered.error)
  return answered
}
