// What every tool works with: its context, its output, and how much one call returns.
import type { Route } from '../catalogue/define.ts'
import type { ErrorBody, Params, Reader } from './reader.ts'

export const bounds = { rows: 200, mostRows: 1_000, values: 50, bytes: 100_000, totalMs: 20_000 }

export interface ReadCall {
  readonly operation: string
  readonly connection?: string
  readonly params?: Params
}

export interface ToolContext {
  readonly reader: Reader
  readonly routes: readonly Route[]
  readonly signal: AbortSignal
  /** monotonic */
  readonly nowMs: () => number
}

export interface ToolError extends ErrorBody {
  readonly cure: string
}

/** With `error` the call failed; the other members hold what was read before. */
export type ToolOutput = Readonly<Record<string, unknown>> & { readonly error?: ToolError }
