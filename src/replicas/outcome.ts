// What a platform call came to, as bytes for those who wait for it elsewhere: its document, or the platform's refusal. What
// only says something of whoever called is neither: his deadline, his leaving, his own turn that did not come.
import type { Errand } from '../engine/port.ts'
import { parseExactly } from '../platform/exact-json.ts'
import { Problem, type ProblemExtras, problems } from '../problem.ts'

export type Outcome =
  | { readonly document: unknown }
  | { readonly problem: Problem }
  /** there is a document, and it is too much to hand on */
  | 'too large'

/** a page of 200 apps is half of it; what is handed over holds up what else is asked of the same server */
export const mostBytes = 1024 * 1024

/** whether this is what anybody would have been told */
export function isPlatforms(error: unknown, { signal, cost }: Errand, callsBefore: number): error is Problem {
  if (!(error instanceof Problem) || signal.aborted) return false
  return cost.calls > callsBefore && error.row.type !== 'overloaded'
}

/** the platform's numbers keep their digits: those that would lose them are text that is written as it is */
export function packDocument(document: unknown): Buffer {
  const text = JSON.stringify(document)
  return Buffer.from(Buffer.byteLength(text) > mostBytes ? 'L' : `D${text}`)
}

export function packProblem({ code, extras: { cause, ...extras } }: Problem): Buffer {
  const told = { ...extras, ...(typeof cause === 'string' && { cause }) }
  return Buffer.from(`P${JSON.stringify([code, told])}`)
}

function readProblem(text: string): Outcome | undefined {
  const [code, extras] = JSON.parse(text) as [Problem['code'], ProblemExtras]
  return Object.hasOwn(problems, code) ? { problem: new Problem(code, extras) } : undefined
}

function read(kind: string, rest: Buffer): Outcome | undefined {
  if (kind === 'L') return 'too large'
  // by the parser of the platform's own bytes
  if (kind === 'D') return { document: parseExactly(rest) }
  return kind === 'P' ? readProblem(rest.toString()) : undefined
}

/** undefined where nobody here knows what it means: it may be of a replica that is older or newer */
export function unpack(bytes: Buffer): Outcome | undefined {
  try {
    return read(String.fromCharCode(bytes[0] ?? 0), bytes.subarray(1))
  } catch {
    return undefined
  }
}
