// The tool that tells what an error means and what to do about it.
import { refuse } from '../engine/given.ts'
import { quote } from '../engine/quote.ts'
import { type ProblemCode, problems } from '../problem.ts'
import type { Told } from './desk.ts'

export function explainError({ code }: { code: string }): Told {
  if (!Object.hasOwn(problems, code)) {
    const known = Object.keys(problems)
    throw refuse('value_not_allowed', 'code', `There is no error ${quote(code)}.`, known, code)
  }
  const { type, status, summary, cure, retryable } = problems[code as ProblemCode]
  return { ...{ code, type, status, summary, cure }, retryable: retryable === true, docUrl: `/errors/${code}` }
}
