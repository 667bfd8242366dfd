// What the process ends with, by the class of the failure: scripts decide on it.
import { type ProblemCode, problems, type ProblemType } from '../../problem.ts'
import { Complaint } from '../complaint.ts'

/** failures without an answer of the service */
type Unanswered = 'unreachable' | 'deadline' | 'unexpected_answer' | 'too_many_items'

interface Exit {
  readonly code: number
  readonly about: string
  readonly types: readonly (ProblemType | Unanswered)[]
}

export const exits: readonly Exit[] = [
  { code: 0, about: 'Done. Whether the list goes on is said on standard error, and by `nextCursor`.', types: [] },
  {
    code: 1,
    about: 'Something else: a defect, an answer that cannot be written, wrong words to another command.',
    types: ['internal_error', 'method_not_allowed', 'conflict', 'too_many_items'],
  },
  {
    code: 2,
    about: 'The question is wrong: a parameter, a value, a cursor. Asking again will not help.',
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
    about: 'There is no such thing, or not exactly one.',
    types: ['resource_not_found', 'localization_not_found', 'ambiguous_selection'],
  },
  { code: 5, about: 'Too many requests, of the key or of the account. Ask later.', types: ['rate_limited'] },
  {
    code: 6,
    about: 'The service or the platform behind it cannot be reached, or does not answer as it should. Ask later.',
    types: ['upstream_error', 'overloaded', 'request_timeout', 'unreachable', 'deadline', 'unexpected_answer'],
  },
  {
    code: 130,
    about: 'Ended by Ctrl-C. What was walked so far is said, and how to go on. (143: by SIGTERM.)',
    types: [],
  },
  { code: 141, about: 'The reader of the output has gone, as with `| head`.', types: [] },
]

export const exitFor = (type: string): number =>
  exits.find(({ types }) => (types as readonly string[]).includes(type))?.code ?? 1

/** a command line that cannot be understood; nothing was sent */
export class Misuse extends Complaint {
  override readonly name = 'Misuse'
  override readonly exitCode = 2
}

/** A wrong argument, by the code that the service has for it and the option that it came from. */
export class WrongArgument extends Misuse {
  readonly code: ProblemCode
  readonly param: string
  readonly said: string
  readonly type: ProblemType
  readonly requestId = ''
  readonly retryable = false

  constructor(code: ProblemCode, param: string, said: string, options?: ErrorOptions) {
    // an operation is named by a word that stands alone
    super(`${said} (${code}${param === 'operation' ? '' : `, --${param}`})`, options)
    this.code = code
    this.param = param
    this.said = said
    this.type = problems[code].type
  }
}

/** there is no key to ask with */
export class Keyless extends Complaint {
  override readonly name = 'Keyless'
  override readonly exitCode = 3
}
