// Asks the script that serves SFTP for one thing, as the user of the container: what a folder holds, or that something in it goes.
import type { Containers } from '../containers/containers.ts'
import type { Command } from '../exec/command.ts'
import { type Commands, watchCommand } from '../exec/commands.ts'
import { Problem, type ProblemCode, refuse } from '../problems.ts'
import { SftpFault } from '../ssh/sftp/faults.ts'
import { ScriptCaller, ScriptGone } from '../ssh/sftp/script-caller.ts'
import { sftpWish } from '../ssh/sftp/serve.ts'
import type { ContainerRecord } from '../store/container-rows.ts'

const mostMs = 60_000

export interface ScriptParts {
  readonly commands: Pick<Commands, 'start'>
  readonly containers: Pick<Containers, 'refresh'>
}

const codes: Readonly<Record<string, ProblemCode>> = {
  absent: 'file_not_found',
  no_parent: 'file_not_found',
  denied: 'permission_denied',
  reserved: 'not_directory',
  mount: 'read_only',
  read_only: 'read_only',
  directory: 'is_directory',
  not_directory: 'not_directory',
  not_empty: 'directory_not_empty',
  link: 'not_regular',
}

/** what a script that has gone leaves behind; an end by its caller has been told before */
async function asProblem(command: Command, container: string, { containers }: ScriptParts): Promise<Problem> {
  const outcome = await command.outcome()
  if (outcome.kind === 'not_started') return refuse('exec_start_failed', { reason: outcome.reason })
  if (outcome.kind === 'killed' && outcome.by === 'timeout') return new Problem('engine_timeout')
  if (outcome.kind === 'killed' && outcome.by === 'stopping') return new Problem('shutting_down')
  if (outcome.kind === 'unknown') await containers.refresh(container).catch(() => {})
  return refuse('exec_outcome_unknown', { reason: outcome.kind === 'unknown' ? outcome.reason : 'engine_lost' })
}

export async function askScript<T>(
  record: ContainerRecord,
  parts: ScriptParts,
  signal: AbortSignal,
  act: (script: ScriptCaller) => Promise<T>,
): Promise<T> {
  const { command, release } = await parts.commands.start(record, sftpWish)
  const unwatch = watchCommand(command, { timeoutMs: mostMs, signal })
  const script = new ScriptCaller(command, mostMs)
  let failure: unknown
  try {
    const program = await script.begin()
    if (program !== undefined) throw refuse('exec_start_failed', { reason: 'not_found', program })
    return await act(script)
  } catch (error) {
    failure = error
    if (error instanceof SftpFault) throw new Problem(codes[error.reason ?? ''] ?? 'action_refused')
    if (!(error instanceof ScriptGone)) throw error
    script.kill()
    throw signal.aborted ? signal.reason : await asProblem(command, record.id, parts)
  } finally {
    if (!(failure instanceof ScriptGone)) await script.finish()
    unwatch()
    await release()
  }
}
