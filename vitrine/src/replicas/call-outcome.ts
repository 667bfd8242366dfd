// The outcome of a platform call as bytes for other replicas: a document, or the platform's refusal. Failures that belong to
// one caller (deadline, cancellation, queue) are not passed on.
import { attempt } from '../../../base/core/attempt.ts'
import type { ReadContext } from '../platform/port.ts'
import { parseExactly } from '../platform/call/exact-json.ts'
import { Problem, type ProblemExtras, problems } from '../problems.ts'

export type CallOutcome =
  | { readonly document: unknown }
  | { readonly problem: Problem }
  /** the document exceeds mostBytes */
  | 'too large'

export const mostBytes = 1024 * 1024

/** whether every caller would get this problem: not if the platform was not asked, or one key alone is refused */
export function isPlatformProblem(
  error: unknown,
  { signal, cost }: ReadContext,
  callsBefore: number,
): error is Problem {
  if (!(error instanceof Problem) || signal.aborted) return false
  return cost.calls > callsBefore && error.row.type !== 'overloaded' && error.code !== 'key_budget_spent'
}

/** numbers that JavaScript would round are kept as text, and written unchanged */
export function packDocument(document: unknown): Buffer {
  const text = JSON.stringify(document)
  return Buffer.from(Buffer.byteLength(text) > mostBytes ? 'L' : `D${text}`)
}

export function packProblem({ code, extras: { cause, ...extras } }: Problem): Buffer {
  const plain = { ...extras, ...(typeof cause === 'string' && { cause }) }
  return Buffer.from(`P${JSON.stringify([code, plain])}`)
}

function readProblem(text: string): CallOutcome | undefined {
  const [code, extras] = JSON.parse(text) as [Problem['code'], ProblemExtras]
  return Object.hasOwn(problems, code) ? { problem: new Problem(code, extras) } : undefined
}

function read(kind: string, rest: Buffer): CallOutcome | undefined {
  if (kind === 'L') return 'too large'
  if (kind === 'D') return { document: parseExactly(rest) }
  return kind === 'P' ? readProblem(rest.toString()) : undefined
}

/** undefined: unknown format, as from a replica of another version */
export const unpackOutcome = (bytes: Buffer): CallOutcome | undefined =>
  attempt(() => read(String.fromCharCode(bytes[0] ?? 0), bytes.subarray(1)))
