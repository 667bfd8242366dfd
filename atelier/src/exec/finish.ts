// Waits for the proven end of a command, and says what it was.
import type { Containers } from '../containers/containers.ts'
import type { Engine } from '../engine/port.ts'
import type { Command } from './command.ts'
import type { MemoryKills } from './memory-kills.ts'
import { type End, endOf } from './result.ts'

export interface FinishParts {
  readonly engine: Engine
  readonly containers: Containers
  readonly commands: { readonly memoryKills: Pick<MemoryKills, 'since'> }
}

/** members of a stream's last line where the engine may have lost output */
export const cutMarks = { stdoutTruncated: true, stderrTruncated: true } as const

/** Waits for the end, and answers it. `failure` is what reading the output threw. */
export async function finish(command: Command, container: string, failure: unknown, parts: FinishParts): Promise<End> {
  const outcome = await command.outcome(failure)
  if (outcome.kind === 'unknown') await parts.containers.refresh(container).catch(() => {})
  const isKill = outcome.kind === 'exit' && outcome.exitCode === 137
  return endOf(outcome, command, isKill && (await isOutOfMemory(command, container, parts)))
}

async function isOutOfMemory({ beganAt }: Command, container: string, { engine, commands }: FinishParts) {
  const isCounted = await commands.memoryKills.since(container, beganAt)
  return isCounted ?? (await engine.state(container).catch(() => undefined))?.oomKilled === true
}
