// Reads the output of a command that goes on without its caller, and keeps it for followers.
import { problemOf } from '../../../base/web/failure.ts'
import { ownTurn } from '../api/own-turn.ts'
import type { Observe } from '../events.ts'
import type { Command } from './command.ts'
import { cutMarks, finish, type FinishParts } from './finish.ts'
import type { KeptCommand, KeptEnd } from './kept-command.ts'
import type { KeptCommands } from './kept-commands.ts'
import { OutputLines } from './output-lines.ts'
import type { OutputEncoding } from './result.ts'

export interface RunOnParts extends FinishParts {
  readonly kept: KeptCommands
  readonly observe: Observe
}

export interface RunOnOptions {
  readonly encoding: OutputEncoding
  readonly account: string
  readonly container: string
  readonly requestId: string
  /** Infinity: it has none of its own */
  readonly timeoutMs: number
}

async function readAll(
  command: Command,
  kept: KeptCommand,
  { encoding, container }: RunOnOptions,
  parts: RunOnParts,
): Promise<object> {
  const cut = new OutputLines(encoding)
  let failure: unknown
  try {
    for await (const chunk of command.output()) {
      cut.count(chunk)
      for (const line of cut.of(chunk)) parts.kept.add(kept, line)
      // one piece of one command in each turn, however fast they are
      await ownTurn()
    }
  } catch (error) {
    failure = error
  }
  for (const line of cut.rest()) parts.kept.add(kept, line)
  const end = await finish(command, container, failure, parts)
  return { type: 'exit', ...end, ...cut.counts, ...(command.isCut && cutMarks) }
}

/** `release` is called at the end of the command */
export function runOn(
  command: Command,
  options: RunOnOptions,
  release: () => Promise<void>,
  parts: RunOnParts,
): KeptCommand {
  const { account, container, requestId, timeoutMs } = options
  const kept = parts.kept.begin({ id: command.id, account, container })
  const late = timeoutMs < Infinity ? setTimeout(() => command.kill('timeout'), timeoutMs) : undefined
  const readToEnd = async () => {
    const end = await readAll(command, kept, options, parts).then(
      (exit): KeptEnd => ({ exit }),
      (error: unknown): KeptEnd => ({ problem: problemOf(error, requestId, parts.observe) }),
    )
    clearTimeout(late)
    parts.kept.finish(kept, end)
    await release().catch(() => {})
  }
  void readToEnd()
  return kept
}
