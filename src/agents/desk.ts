// What a call of a tool gives, what it stands on, and what it tells.
import type { Route } from '../catalogue/define.ts'
import type { ToldError } from './error-result.ts'
import type { Glass, Params } from './port.ts'

/** of the tools that read */
export interface ReadCall {
  readonly operation: string
  readonly connection?: string
  readonly params?: Params
}

export interface Desk {
  readonly glass: Glass
  readonly routes: readonly Route[]
  readonly signal: AbortSignal
  /** milliseconds of a clock that nobody sets */
  readonly steady: () => number
}

/** `error`: the call has failed, and what is told beside it came before */
export type Told = Readonly<Record<string, unknown>> & { readonly error?: ToldError }
