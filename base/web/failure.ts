// Reports an unexpected error: a defect of ours.
import type { Observe } from '../core/events.ts'
import { Problem } from '../core/problem.ts'

/** without the error's message, which may quote the request */
export function reportFailure(error: unknown, requestId: string, observe: Observe): Problem {
  const { name, stack = '' } = error instanceof Error ? error : new Error('not an error')
  const at = stack.search(/^ +at /m)
  observe({ kind: 'failed', requestId, reason: name, ...(at >= 0 && { stack: `${name}\n${stack.slice(at)}` }) })
  return new Problem('internal_error')
}

export const problemOf = (error: unknown, requestId: string, observe: Observe): Problem =>
  error instanceof Problem ? error : reportFailure(error, requestId, observe)
