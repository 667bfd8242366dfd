// Exit codes by class of failure, for scripts.
import { type ProblemCode, problems, type ProblemType } from '../../problems.ts'
import { UserError } from '../../../../base/cli/user-error.ts'

/** failures without an answer from the service */
type Unanswered = 'unreachable' | 'deadline' | 'unexpected_answer' | 'too_many_items'

interface Exit {
  readonly code: number
  readonly about: string
  readonly types: readonly (ProblemType | Unanswered)[]
}

export const exits: readonly Exit[] = [
  { code: 0, about: 'Done. Standard error and `nextCursor` say whether the list continues.', types: [] },
  {
    code: 1,
    about: 'Anything else: a defect, an answer that cannot be written, wrong usage of another command.',
    types: ['internal_error', 'method_not_allowed', 'conflict', 'too_many_items'],
  },
  {
    code: 2,
    about: 'The request is wrong: a parameter, a value, a cursor. Do not retry.',
    types: [
      ...(['invalid_query', 'invalid_request', 'bad_request', 'payload_too_large', 'uri_too_long'] as const),
      ...(['expectation_failed', 'headers_too_large'] as const),
    ],
  },
  {
    code: 3,
    about: 'The key is missing, wrong or may not read this; or the signing key may not.',
    types: ['unauthorized', 'forbidden', 'upstream_forbidden'],
  },
  {
    code: 4,
    about: 'Not found, or not exactly one match.',
    types: ['resource_not_found', 'localization_not_found', 'ambiguous_selection'],
  },
  { code: 5, about: 'Too many requests, of the key or of the account. Retry later.', types: ['rate_limited'] },
  {
    code: 6,
    about: 'The service or the platform behind it cannot be reached, or does not answer as it should. Retry later.',
    types: ['upstream_error', 'overloaded', 'request_timeout', 'unreachable', 'deadline', 'unexpected_answer'],
  },
  {
    code: 130,
    about: 'Ended by Ctrl-C. The message says what was read so far, and how to continue. (143: by SIGTERM.)',
    types: [],
  },
  { code: 141, about: 'The reader of the output closed it, as with `| head`.', types: [] },
]

export const exitFor = (type: string): number =>
  exits.find(({ types }) => (types as readonly string[]).includes(type))?.code ?? 1

/** a wrong command line; nothing was sent */
export class UsageError extends UserError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}

interface ArgumentErrorOptions extends ErrorOptions {
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** A wrong argument, with the code that the service has for it. */
export class ArgumentError extends UsageError {
  override readonly code: ProblemCode
  readonly param: string
  readonly said: string
  readonly type: ProblemType
  /** as the service has them: the allowed names or values, and the nearest one */
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly requestId = ''
  readonly retryable = false

  constructor(code: ProblemCode, param: string, said: string, { details, ...options }: ArgumentErrorOptions = {}) {
    // an operation is not an option
    super(`${said} (${code}${param === 'operation' ? '' : `, --${param}`})`, options)
    this.details = details
    this.code = code
    this.param = param
    this.said = said
    this.type = problems[code].type
  }
}

export class MissingKeyError extends UserError {
  override readonly name = 'MissingKeyError'
  override readonly exitCode = 3
}
