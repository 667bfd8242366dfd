// What each word of an error means, for pages and for agents: codes of the table of problems, types, which are families of
// codes, and the codes of failures that no answer of the service stands behind. Long because it is a table.
import { type ProblemCode, type ProblemType, problems } from './problem.ts'

export interface Explanation {
  readonly type: string
  /** of the HTTP answer; absent where there is none, or not one alone */
  readonly status?: number
  readonly summary: string
  readonly cure: string
  readonly retryable: boolean
  /** the codes of a type */
  readonly codes?: readonly string[]
}

type Words = Pick<Explanation, 'summary' | 'cure'> & { readonly retryable?: true }

/** types that are no code themselves */
const families = {
  invalid_query: {
    summary: 'A parameter of the request is wrong.',
    cure: 'Change the parameter named in `param`; the code says what is wrong with it. Asking again without a change will not help.',
  },
  unauthorized: {
    summary: 'The key or the token is missing or not valid.',
    cure: 'Compare it with the one that the operator handed out, or ask for a new one.',
  },
  forbidden: {
    summary: 'The key or the page may not do this.',
    cure: 'Ask the operator for a key that may; the code says what is lacking.',
  },
  rate_limited: {
    summary: 'Too many requests were made, with this key or of this account.',
    cure: 'Wait for the seconds in `Retry-After` (`retryAfterSec` for agents and the client), then ask again.',
    retryable: true,
  },
  upstream_error: {
    summary: 'The platform failed, or cannot be reached.',
    cure: 'Try again later where `retryable` is true; else the operator finds the reason in the log under the request id.',
    retryable: true,
  },
  overloaded: {
    summary: 'The service has too much to do, is stopping, or lacks a part that it needs.',
    cure: 'Try again in a moment where `retryable` is true; else tell the operator.',
    retryable: true,
  },
  invalid_request: {
    summary: 'The body of the request is wrong.',
    cure: 'Change what the message and `param` name.',
  },
  conflict: {
    summary: 'The request does not fit the present state.',
    cure: 'Look at the present state, then decide again.',
  },
  bad_request: {
    summary: 'The HTTP request is broken.',
    cure: 'Send one well-formed HTTP/1.1 request without a body.',
  },
} satisfies Partial<Record<ProblemType, Words>>

/** of the client and the command line: nothing of the service answered */
const unanswered = {
  unreachable: {
    type: 'unreachable',
    summary: 'The service cannot be reached, or its answer broke off.',
    cure: 'See that the service runs and that its address is right (`VITRINE_URL`, `--url`, or `url` of the client), then try again.',
    retryable: true,
  },
  deadline: {
    type: 'deadline',
    summary: 'There was no answer within the time of the call.',
    cure: 'Give it more time (`--timeout`, or `timeoutMs` of the client), or ask for less with `limit`.',
    retryable: true,
  },
  unexpected_answer: {
    type: 'unexpected_answer',
    summary: 'What answered was not the service.',
    cure: 'Look at what stands at this address: a proxy, a sign-in page, another program.',
  },
  redirected: {
    type: 'unexpected_answer',
    summary: 'The address redirects. The key is not sent along.',
    cure: 'Give the final address.',
  },
  cursor_repeated: {
    type: 'unexpected_answer',
    summary: 'A page leads to one that was read before: the walk would never end.',
    cure: 'Start again without a cursor. If it stays, tell the operator.',
  },
  too_many_items: {
    type: 'too_many_items',
    summary: 'The list is longer than the caller is ready to hold.',
    cure: 'Raise `max`, or walk the list page by page.',
  },
  interrupted: {
    type: 'interrupted',
    summary: 'A signal ended the command.',
    cure: 'Run it again; where a cursor was printed, it goes on from there.',
    retryable: true,
  },
} as const satisfies Record<string, Words & { readonly type: string }>

const codesOf = (type: string): string[] =>
  (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].type === type)

/** words that have a page beside those of the table of problems */
export const otherWords: readonly string[] = [...Object.keys(families), ...Object.keys(unanswered)]

/** every word that an error may have as its `type` or `code` */
export const explainedWords: readonly string[] = [...Object.keys(problems), ...otherWords]

const own = (words: Words): Omit<Explanation, 'type'> => ({
  summary: words.summary,
  cure: words.cure,
  retryable: words.retryable === true,
})

/** undefined for what is no word of an error */
export function explanationOf(word: string): Explanation | undefined {
  if (Object.hasOwn(problems, word)) {
    const row = problems[word as ProblemCode]
    const codes = codesOf(word)
    const family = codes.length > 1 ? { codes } : {}
    return Object.assign({ type: row.type, status: row.status }, own(row), family)
  }
  if (Object.hasOwn(families, word))
    return Object.assign({ type: word }, own(families[word as keyof typeof families]), { codes: codesOf(word) })
  if (!Object.hasOwn(unanswered, word)) return undefined
  const row = unanswered[word as keyof typeof unanswered]
  return Object.assign({ type: row.type }, own(row))
}
