// What a command puts out, on the outputs of this program as it comes, and how it ended.
import { say } from '../../../../base/cli/output.ts'
import { AtelierError, type CommandEvent } from '../../../client/atelier.ts'
import { failureText } from './perform.ts'
import { writeTo } from './signals.ts'

export const [timedOutExit, failedExit] = [124, 125] as const
const [notExecutableExit, notFoundExit] = [126, 127]

const cutWords = 'atelier: The engine may have lost the end of the output.'

export interface OutputOptions {
  readonly encoding: 'utf8' | 'base64'
  readonly signal: AbortSignal
  /** called before anything is shown */
  readonly begun?: () => void
}

/** answers the exit code of the command, or that of a timeout */
export async function showOutput(
  events: AsyncIterable<CommandEvent>,
  { encoding, signal, begun }: OutputOptions,
): Promise<number> {
  for await (const event of events) {
    if (event.type === 'start') continue
    begun?.()
    if (event.type === 'lost') say('atelier: Some of the output was not kept.')
    else if (event.type !== 'exit') await writeTo(process[event.type], Buffer.from(event.data, encoding), signal)
    else {
      if (event.stdoutTruncated || event.stderrTruncated) say(cutWords)
      if (event.timedOut) say('atelier: The command ran too long and was killed; --timeout gives it more time.')
      if (event.oomKilled) say('atelier: The memory limit was reached; --memory gives it more.')
      return event.timedOut ? timedOutExit : event.exitCode
    }
  }
  return failedExit
}

/** as shells tell a missing program from one that cannot run */
export function exitOfStart(error: unknown): number {
  if (!(error instanceof AtelierError) || error.type !== 'exec_start_failed') throw error
  process.stderr.write(failureText(error))
  return error.details?.['reason'] === 'not_found' ? notFoundExit : notExecutableExit
}
