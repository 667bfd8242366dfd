// Every way an answer of this service can fail. A problem's type is its code; base's own problems take a type of this API.
// Long because it is a table.
import {
  type AnyProblem,
  httpProblems,
  Problem as HttpProblem,
  type ProblemExtras,
  type ProblemRow,
} from '../../base/core/problem.ts'

type Marks = Omit<ProblemRow, 'type' | 'status' | 'summary' | 'cure'>
/** without a type, the code is the type */
type Row = Omit<ProblemRow, 'type'> & { readonly type?: string }

const row = (status: number, summary: string, cure: string, marks: Marks & Pick<Row, 'type'> = {}): Row => ({
  status,
  summary,
  cure,
  ...marks,
})

const again = { retryable: true } as const

const own = {
  invalid_request: row(400, 'The request is not valid.', 'Change what `details.field` names, for `details.reason`.'),
  invalid_dockerfile: row(400, 'The Dockerfile is not valid.', 'Change the line that `details.line` names.'),
  invalid_archive: row(
    400,
    'The archive is not acceptable.',
    'Change the entry that `details.entry` names. Nothing from it onwards was written.',
  ),
  invalid_public_key: row(
    400,
    'The public key is not acceptable.',
    'Send one line of ssh-ed25519, ecdsa-sha2-nistp256, -384 or -521, or ssh-rsa of 3072 bits or more, without options.',
  ),
  unauthorized: row(401, 'A valid API key is required.', 'Send it as `Authorization: Bearer <key>`.'),
  session_required: row(401, 'A session is required.', 'Sign in at /auth/login. An API key is not enough here.'),
  invalid_credentials: row(401, 'The e-mail or the password is wrong.', 'Check both.'),
  sign_in_refused: row(
    401,
    'The sign-in with the provider did not succeed.',
    'Start again at /auth/login. If it persists, the operator looks at the log.',
    { type: 'invalid_credentials' },
  ),
  forbidden: row(403, 'This is not allowed.', 'Use a key with the scope in `details.scope`, or ask the operator.'),
  not_opened: row(
    403,
    'The operator of this service has not opened the network or host that `details.field` names.',
    'Leave it out, or ask the operator: the settings `egress` and `egressProxy.hosts` open networks and hosts.',
    { type: 'forbidden' },
  ),
  csrf_failed: row(
    403,
    'The request does not prove that it comes from this site.',
    'Send `X-CSRF-Token` with the token of the session, and an `Origin` equal to that of this service.',
  ),
  permission_denied: row(
    403,
    'The user of the container is not allowed to do this.',
    'Change the permissions by a command, or create the container with another user.',
    { type: 'forbidden' },
  ),
  not_found: row(404, 'There is nothing at this path.', 'The paths are listed in /openapi.json.'),
  container_not_found: row(404, 'There is no such container.', 'GET /containers lists the containers of the account.'),
  image_not_found: row(404, 'There is no such image.', 'GET /images lists the images of the account.'),
  exec_not_found: row(
    404,
    'There is no such command, or its output is no longer kept.',
    'Output is kept until 10 minutes after the end, the removal of the container, or a restart of the service.',
  ),
  key_not_found: row(404, 'There is no such key.', 'GET /api-keys lists the keys of the account.'),
  file_not_found: row(404, 'There is no such file.', 'Check the path.'),
  parent_not_found: row(404, 'The parent directory does not exist.', 'Create it, or send createParents=true.'),
  container_not_running: row(
    409,
    'The container is not running.',
    'Create another one; `details` says why this one ended.',
  ),
  image_not_ready: row(409, 'The image is not ready.', 'Wait until its status is ready.'),
  image_in_use: row(409, 'Containers use the image.', 'Delete the containers in `details.containers` first.'),
  name_in_use: row(409, 'The name is in use.', 'Choose another name, or delete what has it.'),
  quota_exceeded: row(
    409,
    'The account has reached a limit.',
    'Delete something, or ask the operator for more; `details` names the limit.',
  ),
  is_directory: row(409, 'The path is a directory.', 'Name a file, or ask for a tar.'),
  not_directory: row(409, 'A part of the path is not a directory.', 'Check the path.'),
  directory_not_empty: row(409, 'The directory is not empty.', 'Send recursive=true to remove all that is in it.'),
  action_refused: row(409, 'The container could not do this.', 'Find out by a command why it refuses.'),
  not_regular: row(409, 'The path is not a regular file.', 'Links, devices and sockets are neither read nor replaced.'),
  file_exists: row(409, 'The file exists.', 'Leave ifAbsent out to replace it.'),
  read_only: row(409, 'The path cannot be written.', 'Only the working directory of this container can be written.'),
  idempotency_conflict: row(
    409,
    'The Idempotency-Key was used with another request.',
    'Use a new one for each request.',
  ),
  idempotency_in_progress: row(
    409,
    'The first request with this Idempotency-Key is still at work.',
    'Wait and repeat the request.',
    again,
  ),
  upgrade_required: row(
    426,
    'This is for a WebSocket.',
    'Send the opening handshake of one: `Upgrade: websocket`, `Sec-WebSocket-Version: 13` and a key.',
  ),
  length_required: row(411, 'The length is missing.', 'Send Content-Length.'),
  too_large: row(413, 'The request is too large.', 'Stay within `details.limit`.'),
  unsupported_media_type: row(
    415,
    'The media type is not accepted here.',
    'Send the media type that the message names, uncompressed.',
  ),
  start_failed: row(422, 'The container could not be started.', 'See `details.reason`.'),
  exec_start_failed: row(422, 'The command could not be started.', 'See `details.reason`.'),
  rate_limited: row(429, 'Too many requests.', 'Wait for the seconds in `Retry-After`.', again),
  exec_limit: row(429, 'Too many commands run at once.', 'Wait until one has ended.', again),
  file_limit: row(429, 'Too many transfers run at once.', 'Wait until one has ended.', again),
  build_limit: row(429, 'Too many builds run at once.', 'Wait until one has ended.', again),
  ssh_limit: row(429, 'The container has too many SSH sessions.', 'Wait until one has ended.', again),
  log_limit: row(429, 'Too many readers of build logs at once.', 'Wait until one has ended.', again),
  terminal_limit: row(429, 'Too many terminals are open.', 'Close one first.', again),
  internal_error: row(500, 'The service failed.', 'This is a defect: please report it with the request id.', again),
  engine_error: row(
    502,
    'The container engine failed.',
    'Try again. If it persists, the operator looks at the log.',
    again,
  ),
  exec_outcome_unknown: row(
    502,
    'The command was started, and its outcome is unknown.',
    'Find out by another command before repeating it; `details.reason` says what happened.',
  ),
  output_limit: row(502, 'The command put out too much and was killed.', 'Write large output to a file and read that.'),
  engine_unavailable: row(503, 'The container engine cannot be reached.', 'Try again in a moment.', again),
  no_capacity: row(503, 'The service has no capacity for this at the moment.', 'Try again in a moment.', again),
  provider_unavailable: row(
    503,
    'The sign-in provider cannot be used at the moment.',
    'Try again in a moment, or sign in with e-mail and password at /auth/login.',
    { ...again, type: 'no_capacity' },
  ),
  shutting_down: row(503, 'The service is shutting down.', 'Try again in a moment.', again),
  engine_timeout: row(
    504,
    'The container engine did not answer in time.',
    'Find out what became of the request before repeating it.',
    again,
  ),
  disk_full: row(507, 'The disk of the container is full.', 'Delete files, or create a container with more diskMiB.'),
}

/** the type that a problem of base has in this API */
const types: Readonly<Record<string, string>> = {
  bad_request: 'invalid_request',
  invalid_query: 'invalid_request',
  payload_too_large: 'too_large',
  overloaded: 'no_capacity',
}

const waitSec = (status: number): Marks => (status === 429 || status === 503 ? { retryAfterSec: 1 } : {})

export const problems = Object.fromEntries<ProblemRow>([
  ...Object.entries(httpProblems).map(([code, { type, ...rest }]): [string, ProblemRow] => [
    code,
    { ...waitSec(rest.status), ...rest, type: types[type] ?? type },
  ]),
  ...Object.entries(own).map(([code, rest]): [string, ProblemRow] => [
    code,
    { ...waitSec(rest.status), ...rest, type: rest.type ?? code },
  ]),
])

export type ProblemCode = keyof typeof own | keyof typeof httpProblems

export class Problem extends HttpProblem<ProblemCode> {}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** a member or parameter that is wrong: `field` is its path, such as `limits.cpu`; empty: the whole request, which `reason` names */
export const invalid = (field: string, reason: string): Problem => {
  const message = field === '' ? sentence(reason) : `${field}: ${reason}.`
  return new Problem('invalid_request', { message, details: { field, reason } })
}

/** one that failed or was cancelled never becomes ready */
const unusableImage = 'The image cannot be used. Its `error` says why; build or import it again.'

export const imageNotReady = (status: string): Problem => {
  const isOver = status === 'failed' || status === 'cancelled'
  return new Problem('image_not_ready', { details: { status }, ...(isOver && { message: unusableImage }) })
}

export const refuse = (code: ProblemCode, details?: Record<string, unknown>, extras: ProblemExtras = {}): Problem =>
  new Problem(code, details ? { ...extras, details } : extras)

/** base names the parameter in `param`; this API names it in `details` */
function present(
  { code, message, row: { type, retryable }, extras: { param, details } }: AnyProblem,
  requestId?: string,
) {
  const place = param === undefined ? details : { field: param, reason: message, ...details }
  return {
    type,
    ...(code !== type && { code }),
    message,
    requestId,
    ...(retryable && { retryable }),
    ...(place && { details: place }),
  }
}

HttpProblem.rows = problems
HttpProblem.present = present
