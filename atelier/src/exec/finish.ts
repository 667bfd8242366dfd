// Waits for the proven end of a command, and says what it was.
import type { Containers } from '../containers/containers.ts'
import type { Engine } from '../engine/port.ts'
import type { Command } from './command.ts'
import { type End, endOf } from './result.ts'

export interface FinishParts {
  readonly engine: Engine
  readonly containers: Containers
}

/** members of a stream's last line where the engine may have lost output */
export const cutMarks = { stdoutTruncated: true, stderrTruncated: true } as const

/** Waits for the end, and answers it. `failure` is what reading the output threw. */
export async function finish(
  command: Command,
  container: string,
  failure: unknown,
  { engine, containers }: FinishParts,
): Promise<End> {
  const outcome = await command.outcome(failure)
  if (outcome.kind === 'unknown') await containers.refresh(container).catch(() => {})
  const isKill = outcome.kind === 'exit' && outcome.exitCode === 137
  const state = isKill ? await engine.state(container).catch(() => undefined) : undefined
  return endOf(outcome, command, state?.oomKilled === true)
}
