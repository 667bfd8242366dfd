// Errors as tools return them: the service's error body with the address of its page and what to do about it.
import { quote } from '../../../base/core/quote.ts'
import { errorOf } from '../../../base/core/problem.ts'
import { parameterProblem } from '../../../base/web/target.ts'
import { explainedWords, explanationOf } from '../explanations.ts'
import { Problem } from '../problems.ts'
import { type ErrorBody, type Reader, ReadRefused } from './reader.ts'
import type { ToolContext, ToolError, ToolOutput } from './tool-context.ts'

export interface FailedValue {
  readonly value: string | undefined
  readonly code: string
  readonly message: string
}

/** for a code that this version does not know */
const unknownCodeFix = 'See that the service runs and that its address is right, then try again.'

function withFix(body: ErrorBody, origin: string): ToolError {
  const { docUrl = '' } = body
  const cure = explanationOf(body.code)?.cure ?? unknownCodeFix
  return Object.assign({}, body, docUrl.startsWith('/') && { docUrl: origin + docUrl }, { cure })
}

export function errorOutput(
  error: unknown,
  { failed, requestId, origin }: Pick<Reader, 'failed' | 'requestId' | 'origin'>,
): ToolError {
  if (error instanceof ReadRefused) return withFix(error.body, origin)
  if (!(error instanceof Problem)) failed?.(error)
  const problem = error instanceof Problem ? error : new Problem('internal_error')
  const { retryAfterSec } = problem.extras
  return withFix({ ...errorOf(problem, requestId), ...(retryAfterSec !== undefined && { retryAfterSec }) }, origin)
}

export function explainError({ code }: { code: string }, { reader }: ToolContext): ToolOutput {
  const explained = explanationOf(code)
  if (!explained)
    throw parameterProblem('value_not_allowed', 'code', `There is no error ${quote(code)}.`, explainedWords, code)
  return { code, ...explained, docUrl: `${reader.origin}/errors/${code}` }
}
