// The page of one error: its meaning, what to do, and a real example with its request.
import { explanationOf } from '../../explanations.ts'
import { type ProblemCode, problems } from '../../problems.ts'
import { problemBody } from '../problem-responses.ts'
import { code, fence, json, link, bulletList, markdownPage, part } from './markdown.ts'

/** a recorded refusal */
export interface ErrorExample {
  /** the request as it was sent; parts that vary are named in braces */
  readonly asked: string
  /** the circumstances, if the request alone does not cause the refusal */
  readonly under?: string
  readonly status: number
  readonly body: unknown
}

export type ErrorExamples = Readonly<Record<string, ErrorExample>>

function example(name: ProblemCode, given: ErrorExample | undefined): string {
  if (given === undefined) return part('Example', 'As the service would write it:', json(problemBody(name)))
  const { asked, under, status, body } = given
  const circumstances = under === undefined ? '' : `Asked ${under}.`
  return part('Example', circumstances, fence('http', asked), `is answered with ${status}:`, json(body))
}

export function problemPage(name: ProblemCode, given: ErrorExample | undefined): string {
  const { type, status, summary, cure, retryable, operator } = problems[name]
  return markdownPage(
    name,
    summary,
    bulletList([
      `Status: ${status}`,
      `Type: ${code(type)}`,
      `Retryable: ${retryable ? 'yes, the same request may succeed later' : 'no, not without a change'}`,
      `Sent by: ${operator ? 'the operator endpoint and the command line' : 'the public endpoint'}`,
    ]),
    part('What to do', cure),
    example(name, given),
    link('All errors', '../errors.md'),
  )
}

/** The page of an error type, or of an error that the client itself raises. */
export function otherErrorPage(word: string): string {
  const { type, summary = '', cure = '', retryable, codes } = explanationOf(word) ?? {}
  const met = codes ? 'as the type of an error' : 'in the client and at the command line'
  return markdownPage(
    word,
    summary,
    bulletList([
      ...(type === undefined || type === word ? [] : [`Type: ${code(type)}`]),
      `Retryable: ${retryable ? 'yes, the same request may succeed later' : 'no, not without a change'}`,
      `Met: ${met}`,
    ]),
    part('What to do', cure),
    codes && codes.length > 0 ? part('Codes', bulletList(codes.map((one) => link(code(one), `${one}.md`)))) : '',
    link('All errors', '../errors.md'),
  )
}
