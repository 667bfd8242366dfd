// Any failure as a tool tells it: the service's error body, with the address of its page, and beside it the cure.
import { explanationOf } from '../explanations.ts'
import { errorOf, Problem } from '../problem.ts'
import { type ErrorBody, type Glass, Refused } from './port.ts'

/** the body, and what the reader can do about it */
export interface ToldError extends ErrorBody {
  readonly cure: string
}

/** one value of a list that could not be read */
export interface FailedValue {
  readonly value: string | undefined
  readonly code: string
  readonly message: string
}

/** of something that is not the service, or of a newer one */
const otherwise = 'See that the service runs and that its address is right, then try again.'

function withCure(body: ErrorBody, origin: string): ToldError {
  const { docUrl = '' } = body
  const cure = explanationOf(body.code)?.cure ?? otherwise
  return Object.assign({}, body, docUrl.startsWith('/') && { docUrl: origin + docUrl }, { cure })
}

type Teller = Pick<Glass, 'failed' | 'requestId' | 'origin'>

export function tellError(error: unknown, { failed, requestId, origin }: Teller): ToldError {
  if (error instanceof Refused) return withCure(error.body, origin)
  if (!(error instanceof Problem)) failed?.(error)
  const problem = error instanceof Problem ? error : new Problem('internal_error')
  const { retryAfterSec } = problem.extras
  return withCure({ ...errorOf(problem, requestId), ...(retryAfterSec !== undefined && { retryAfterSec }) }, origin)
}
