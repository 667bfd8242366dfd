// Explains every `type` and `code` of an error, for pages and agents: codes of the table of problems,
// types, and failures without an answer of the service. Long because it is a table.
import { type ProblemCode, type ProblemType, problems } from './problems.ts'

export interface Explanation {
  readonly type: string
  /** of the HTTP response; absent if there is none or more than one */
  readonly status?: number
  readonly summary: string
  readonly cure: string
  readonly retryable: boolean
  readonly codes?: readonly string[]
}

const words = (summary: string, cure: string, retryable = false) => ({ summary, cure, retryable })
const failure = (type: string, ...texts: Parameters<typeof words>): Explanation => ({ type, ...words(...texts) })

/** types that are not codes */
const families = {
  invalid_query: words(
    'A parameter of the request is wrong.',
    'Change the parameter named in `param`; the code says what is wrong with it. Do not retry without a change.',
  ),
  unauthorized: words(
    'The key or the token is missing or not valid.',
    'Compare it with the one that the operator issued, or ask for a new one.',
  ),
  forbidden: words(
    'The key or the page is not allowed to do this.',
    'Ask the operator for a key that may; the code says what is missing.',
  ),
  rate_limited: words(
    'Too many requests with this key or for this account.',
    'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client), then retry.',
    true,
  ),
  upstream_error: words(
    'The platform failed, or cannot be reached.',
    'Retry later if `retryable` is true; otherwise the operator finds the reason in the log under the request id.',
    true,
  ),
  overloaded: words(
    'The service is overloaded, is stopping, or lacks something that it needs.',
    'Retry soon if `retryable` is true; otherwise tell the operator.',
    true,
  ),
  invalid_request: words('The body of the request is wrong.', 'Change what the message and `param` name.'),
  conflict: words('The request does not fit the current state.', 'Read the current state, then decide again.'),
  bad_request: words('The HTTP request is broken.', 'Send one well-formed HTTP/1.1 request without a body.'),
} satisfies Partial<Record<ProblemType, unknown>>

/** failures of the client and the command line */
const unanswered: Readonly<Record<string, Explanation>> = {
  unreachable: failure(
    'unreachable',
    'The service cannot be reached, or its response was cut off.',
    'Check that the service is running and that its address is right (`VITRINE_URL`, `--url`, or `url` of the client), then retry.',
    true,
  ),
  deadline: failure(
    'deadline',
    'There was no response within the timeout.',
    'Give it more time (`--timeout`, or `timeoutMs` of the client), or read less with `limit`.',
    true,
  ),
  unexpected_answer: failure(
    'unexpected_answer',
    'The response is not from the service.',
    'Check what responds at this address: a proxy, a sign-in page, another program.',
  ),
  redirected: failure(
    'unexpected_answer',
    'The address redirects. The key was not sent on.',
    'Give the final address.',
  ),
  cursor_repeated: failure(
    'unexpected_answer',
    'A page leads to one that was read before: reading would never end.',
    'Start again without a cursor. If it stays, tell the operator.',
  ),
  too_many_items: failure(
    'too_many_items',
    'The list is longer than the caller accepts.',
    'Raise `max`, or read the list page by page.',
  ),
  interrupted: failure(
    'interrupted',
    'A signal ended the command.',
    'Run it again; if a cursor was printed, continue from there.',
    true,
  ),
}

const codesOf = (type: string): string[] =>
  (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].type === type)

/** types and codes outside the table of problems */
export const otherWords: readonly string[] = [...Object.keys(families), ...Object.keys(unanswered)]

/** every `type` and `code` of an error */
export const explainedWords: readonly string[] = [...Object.keys(problems), ...otherWords]

/** undefined if it is neither a type nor a code */
export function explanationOf(word: string): Explanation | undefined {
  if (Object.hasOwn(problems, word)) {
    const { type, status, summary, cure, retryable = false } = problems[word as ProblemCode]
    const codes = codesOf(word)
    return { type, status, summary, cure, retryable, ...(codes.length > 1 && { codes }) }
  }
  if (Object.hasOwn(families, word))
    return { type: word, ...families[word as keyof typeof families], codes: codesOf(word) }
  return Object.hasOwn(unanswered, word) ? unanswered[word] : undefined
}
