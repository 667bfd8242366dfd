// Exit codes by class of failure, for scripts.
import { UserError } from '../../../../base/cli/user-error.ts'

interface Exit {
  readonly code: number
  readonly about: string
  readonly types: readonly string[]
}

export const exits: readonly Exit[] = [
  { code: 0, about: 'Done.', types: [] },
  { code: 1, about: 'Anything else: a build that failed, a container that is not running, a defect.', types: [] },
  {
    code: 2,
    about: 'The command line or the request is wrong. Do not repeat it.',
    types: ['invalid_request', 'invalid_dockerfile', 'invalid_archive', 'invalid_public_key', 'too_large'],
  },
  {
    code: 3,
    about: 'The key is missing or wrong, or may not do this.',
    types: ['unauthorized', 'forbidden'],
  },
  {
    code: 4,
    about: 'Not found.',
    types: ['container_not_found', 'image_not_found', 'file_not_found', 'parent_not_found'],
  },
  {
    code: 5,
    about: 'A limit is reached: requests, commands or transfers at once, containers. Try again later.',
    types: ['rate_limited', 'exec_limit', 'file_limit', 'build_limit', 'ssh_limit', 'quota_exceeded'],
  },
  {
    code: 6,
    about: 'The service or its engine cannot be reached, or does not answer as it should. Try again later.',
    types: `unreachable deadline unexpected_answer engine_error engine_unavailable engine_timeout exec_outcome_unknown
      no_capacity shutting_down request_timeout`.split(/\s+/),
  },
  { code: 130, about: 'Ended by Ctrl-C. (143: by SIGTERM; 129: its terminal was closed.)', types: [] },
  { code: 141, about: 'The reader of the output closed it, as with `| head`.', types: [] },
]

/** of `atelier run`, whose other codes are those of the command */
export const runExits: readonly Omit<Exit, 'types'>[] = [
  { code: 124, about: 'The command ran longer than `--timeout`, and was killed.' },
  { code: 125, about: 'Atelier failed: the command line, the key, the service. The message says what.' },
  { code: 126, about: 'The command cannot be executed.' },
  { code: 127, about: 'The command is not in the image.' },
]

/** of `atelier ssh`, whose other codes are those of ssh */
export const sshFailure = 255

export const exitFor = (type: string): number => exits.find(({ types }) => types.includes(type))?.code ?? 1

/** a wrong command line; nothing was sent */
export class UsageError extends UserError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}

export class MissingKeyError extends UserError {
  override readonly name = 'MissingKeyError'
  override readonly exitCode = 3
}

export class NotFoundError extends UserError {
  override readonly name = 'NotFoundError'
  override readonly exitCode = 4
}
