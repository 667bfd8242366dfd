// The page of one error: what it means, what to do, and how it really looks, with the request that it answers.
import { explanationOf } from '../../explanations.ts'
import { type ProblemCode, problems } from '../../problem.ts'
import { bodyOf } from '../problem-responses.ts'
import { code, fence, json, link, list, page, part } from './markdown.ts'

/** a refusal that was really given */
export interface ErrorExample {
  /** the request as it was sent; what differs from time to time is named in braces */
  readonly asked: string
  /** what made it be refused, where the request alone does not */
  readonly under?: string
  readonly status: number
  readonly body: unknown
}

export type ErrorExamples = Readonly<Record<string, ErrorExample>>

function example(name: ProblemCode, given: ErrorExample | undefined): string {
  if (given === undefined) return part('Example', 'As the service would write it:', json(bodyOf(name)))
  const { asked, under, status, body } = given
  const circumstances = under === undefined ? '' : `Asked ${under}.`
  return part('Example', circumstances, fence('http', asked), `is answered with ${status}:`, json(body))
}

export function errorPage(name: ProblemCode, given: ErrorExample | undefined): string {
  const { type, status, summary, cure, retryable, operator } = problems[name]
  return page(
    name,
    summary,
    list([
      `Status: ${status}`,
      `Type: ${code(type)}`,
      `Retryable: ${retryable ? 'yes, the same request may succeed later' : 'no, not without a change'}`,
      `Met: ${operator ? "at the operator's door and the command line" : 'at the public door'}`,
    ]),
    part('What to do', cure),
    example(name, given),
    link('All errors', '../errors.md'),
  )
}

/** of a type, and of a failure that no answer of the service stands behind */
export function otherErrorPage(word: string): string {
  const { type, summary = '', cure = '', retryable, codes } = explanationOf(word) ?? {}
  const met = codes ? 'as the type of an error' : 'in the client and at the command line'
  return page(
    word,
    summary,
    list([
      ...(type === undefined || type === word ? [] : [`Type: ${code(type)}`]),
      `Retryable: ${retryable ? 'yes, the same request may succeed later' : 'no, not without a change'}`,
      `Met: ${met}`,
    ]),
    part('What to do', cure),
    codes && codes.length > 0 ? part('Codes', list(codes.map((one) => link(code(one), `${one}.md`)))) : '',
    link('All errors', '../errors.md'),
  )
}
