// Performs a command of a caller: its client, its signals, its failures in words or as JSON, its exit code.
import { AtelierError } from '../../../client/atelier.ts'
import type { Atelier } from '../../../client/atelier.ts'
import { printable } from '../../../../base/cli/output.ts'
import { redact } from '../../../../base/core/redact.ts'
import { UserError } from '../../../../base/cli/user-error.ts'
import { exitFor } from './exits.ts'
import { exitOfSignal, Interrupted, ReaderGone, type Signals, watchSignals } from './signals.ts'
import { openClient, readTarget, type TargetOptions } from './target.ts'

export interface CallOptions extends TargetOptions {
  readonly output?: string | undefined
}

export interface Context {
  readonly atelier: Atelier
  readonly signals: Signals
  readonly isJson: boolean
}

const fixes: Readonly<Record<string, string>> = {
  unreachable: 'Is the service running, and is this its address? ATELIER_URL or --url names another one.',
  unexpected_answer: 'Is this the address of an Atelier? ATELIER_URL or --url names another one.',
  unauthorized: 'Compare ATELIER_KEY with the key that the operator issued; it may have expired or been revoked.',
}

function wordsOf(details: Readonly<Record<string, unknown>> = {}): string[] {
  const shown = Object.entries(details).filter(([, value]) => value !== null && typeof value !== 'object')
  return shown.length === 0
    ? []
    : [`  details     ${shown.map(([name, value]) => `${name}: ${String(value)}`).join(', ')}`]
}

export function failureText({ message, type, requestId, details, retryAfterSec }: AtelierError): string {
  const fix = fixes[type]
  return [
    `atelier: ${message}`,
    ...(fix === undefined ? [] : [`  ${fix}`]),
    `  type        ${type}`,
    ...wordsOf(details),
    ...(requestId === '' ? [] : [`  request id  ${requestId}`]),
    ...(retryAfterSec === undefined ? [] : [`  retry       in ${retryAfterSec} s`]),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('')
}

/** of failures that no answer of the service told */
const ownTypes: Readonly<Record<number, string>> = { 2: 'wrong_usage', 3: 'unauthorized', 4: 'not_found' }

function bodyOf(error: UserError | AtelierError): object {
  if (error instanceof UserError)
    return { type: ownTypes[error.exitCode] ?? 'failed', message: error.message, requestId: '' }
  const { type, code, message, requestId, details } = error
  return { type, ...(code !== type && { code }), message, requestId, ...(details && { details }) }
}

/** what this machine refused, such as a file that is not there */
function asUserError(error: unknown): unknown {
  const { code, syscall, path = '' } = (error ?? {}) as NodeJS.ErrnoException
  const isOfSystem = code !== undefined && syscall !== undefined && !(error instanceof AtelierError)
  return isOfSystem ? new UserError(`${path === '' ? syscall : path}: ${code}.`, { cause: error }) : error
}

/** the exit code of a failure, after saying what failed; a defect is thrown on */
function report(thrown: unknown, isJson: boolean): number {
  if (thrown instanceof ReaderGone) return 141
  if (thrown instanceof Interrupted) return exitOfSignal(thrown.signal)
  const error = asUserError(thrown)
  if (!(error instanceof UserError || error instanceof AtelierError)) throw error
  const text = error instanceof UserError ? `atelier: ${printable(error.message)}\n` : failureText(error)
  process.stderr.write(redact(isJson ? `${JSON.stringify({ error: bodyOf(error) })}\n` : text))
  return error instanceof UserError ? error.exitCode : exitFor(error.type)
}

/** `act` answers the exit code; `failed`: the exit code of every failure, where others are those of a command */
export async function perform(
  options: CallOptions,
  act: (context: Context) => Promise<number>,
  failed?: number,
): Promise<never> {
  const signals = watchSignals()
  const isJson = options.output === 'json'
  // a write says so, too
  process.stdout.on('error', () => signals.stop(new ReaderGone()))
  let code: number
  try {
    code = await act({ atelier: openClient(readTarget(options), 'cli'), signals, isJson })
  } catch (error) {
    const own = report(error, isJson)
    code = failed === undefined || own > 128 ? own : failed
  }
  // idle connections would hold the process for seconds
  process.exit(code)
}
