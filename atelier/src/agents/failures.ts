// Errors as tools return them: what went wrong, and what to do next.
import { AtelierError } from '../../client/atelier.ts'

export interface ToolError {
  readonly type: string
  readonly message: string
  /** what to do */
  readonly next: string
  readonly requestId?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** a failure that the tools find themselves */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  readonly type: string
  readonly next: string

  constructor(type: string, message: string, next: string) {
    super(message)
    this.type = type
    this.next = next
  }
}

const anotherContainer = 'Call create_container for a new one, and write its files again.'
const tellUser = 'Tell the user; another call would fail in the same way.'
const wait = (words: string) => `${words}, then make the same call again.`

const steps: Readonly<Record<string, string>> = {
  container_not_found: anotherContainer,
  container_not_running: anotherContainer,
  image_not_found: 'Call create_container with one of the images that the message names.',
  image_not_ready: wait('Wait until it is built'),
  quota_exceeded: 'Delete a container of yours with delete_container, or ask for less memoryMiB or cpu.',
  start_failed: 'Use another image, or ask the user.',
  exec_limit: wait('Wait until one of your commands has ended'),
  file_limit: wait('Wait a second'),
  rate_limited: wait('Wait a second'),
  no_capacity: wait('Wait a few seconds'),
  shutting_down: wait('Wait a few seconds'),
  engine_unavailable: wait('Wait a few seconds'),
  engine_error: wait('Wait a few seconds'),
  engine_timeout: 'Look by another command what became of it before you repeat it.',
  exec_outcome_unknown: 'Look by another command what became of it before you repeat it.',
  output_limit: 'Write large output to a file, and read that with read_file.',
  file_not_found: 'List the directory with run_command, such as "ls -la".',
  parent_not_found: 'Make the directory with run_command, such as "mkdir -p".',
  is_directory: 'Name a file; list the directory with run_command, such as "ls -la".',
  not_directory: 'A part of the path is a file: choose another path.',
  not_regular: 'Links and devices are neither read nor written: name the file itself, or use run_command.',
  read_only: 'Write below the working directory of the container.',
  disk_full: 'Delete files with run_command, or create a container and write less.',
  too_large: 'Send less; make large files with run_command in the container.',
  unauthorized: tellUser,
  forbidden: tellUser,
  unreachable: 'The service cannot be reached. Tell the user, who may check that it runs.',
  unexpected_answer: tellUser,
  deadline: 'Try again once; if it fails again, tell the user.',
}

const reasons: Readonly<Record<string, string>> = {
  not_found: 'The program is not in the image: see what is there with run_command, such as "ls /bin /usr/bin".',
  not_executable: 'Make it executable with run_command, such as "chmod +x", or run it with its interpreter.',
  bad_working_dir: 'Leave workingDir out, or make the directory first.',
}

function nextOf({ type, details = {} }: AtelierError): string {
  const { reason, field } = details
  if (type === 'exec_start_failed' && typeof reason === 'string') return reasons[reason] ?? 'Use another command.'
  if (type === 'invalid_request' && typeof field === 'string') return `Change "${field}": ${String(reason)}.`
  if (type === 'exec_outcome_unknown' && reason === 'disk_limit')
    return 'The container held more than its disk limit and was deleted. Create another one with create_container, and write less.'
  return steps[type] ?? 'Read the message; if it does not help, tell the user.'
}

export function toolErrorOf(error: unknown): ToolError | undefined {
  if (error instanceof ToolFailure) return { type: error.type, message: error.message, next: error.next }
  if (!(error instanceof AtelierError)) return undefined
  const { type, message, requestId, details } = error
  return { type, message, next: nextOf(error), ...(requestId && { requestId }), ...(details && { details }) }
}
