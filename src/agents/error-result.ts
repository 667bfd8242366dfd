// Any failure as a tool tells it: the service's error body, and beside it the cure.
import { errorOf, Problem, type ProblemCode, problems } from '../problem.ts'
import { type ErrorBody, type Glass, Refused } from './port.ts'

/** the body, and what the reader can do about it */
export interface ToldError extends ErrorBody {
  readonly cure: string
}

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)

/** of failures that never reached the service, or came from something that is not it */
const otherwise = 'See that the service runs and that its address is right, then try again.'

const withCure = (body: ErrorBody): ToldError => ({
  ...body,
  cure: isCode(body.code) ? problems[body.code].cure : otherwise,
})

export function tellError(error: unknown, { failed, requestId }: Pick<Glass, 'failed' | 'requestId'>): ToldError {
  if (error instanceof Refused) return withCure(error.body)
  if (!(error instanceof Problem)) failed?.(error)
  const problem = error instanceof Problem ? error : new Problem('internal_error')
  const { retryAfterSec } = problem.extras
  return withCure({ ...errorOf(problem, requestId), ...(retryAfterSec !== undefined && { retryAfterSec }) })
}
