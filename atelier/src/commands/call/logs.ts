// `atelier logs`: the log of a build, and with --follow what comes until the build ends; or what a command puts out that runs on.
import { printable } from '../../../../base/cli/output.ts'
import { printableLines } from '../../../../base/core/printable.ts'
import type { CommandEvent, LogEvent } from '../../../client/atelier.ts'
import { exitOfStart, failedExit, showOutput, timedOutExit } from './command-output.ts'
import { findImage } from './find.ts'
import { type CallOptions, type Context, perform } from './perform.ts'
import { writeTo } from './signals.ts'

interface LogsOptions extends CallOptions {
  readonly follow?: boolean
}

/** on a terminal, what a build puts out cannot move the cursor */
const shown = (text: string): string => (process.stdout.isTTY ? printableLines(text) : text)

function textOf(event: LogEvent): string {
  if (event.type === 'truncated') return 'atelier: The log is full; the rest of it was not kept.\n'
  if (event.type === 'end') return ''
  return event.stream === 'service' ? `==> ${shown(event.data).trimEnd()}\n` : shown(event.data)
}

async function showLog(word: string, isFollowed: boolean, context: Context): Promise<number> {
  const { atelier, signals, isJson } = context
  const { signal } = signals
  const id = await findImage(atelier, word)
  let status = ''
  for await (const event of atelier.readImageLog({ id, follow: isFollowed }, { signal })) {
    if (event.type === 'end') ({ status } = event)
    const text = isJson ? `${JSON.stringify(event)}\n` : textOf(event)
    if (text !== '') await writeTo(process.stdout, text, signal)
  }
  if (status !== 'failed' && status !== 'cancelled') return 0
  const { error } = await atelier.readImage({ id })
  if (!isJson) process.stderr.write(`atelier: the build ${status}${error ? `: ${printable(error.message)}` : ''}\n`)
  return 1
}

/** as lines of JSON, and with the exit code of the command */
async function showEvents(events: AsyncIterable<CommandEvent>, signal: AbortSignal): Promise<number> {
  let code: number = failedExit
  for await (const event of events) {
    if (event.type === 'exit') code = event.timedOut ? timedOutExit : event.exitCode
    await writeTo(process.stdout, `${JSON.stringify(event)}\n`, signal)
  }
  return code
}

function followCommand(id: string, { atelier, signals, isJson }: Context): Promise<number> {
  const { signal } = signals
  const events = atelier.followCommand({ id }, { signal })
  return isJson ? showEvents(events, signal) : showOutput(events, { encoding: 'utf8', signal })
}

const isCommand = (word: string): boolean => /^ex_[0-9a-z]{26}$/.test(word)

export const logs = (word: string, options: LogsOptions): Promise<never> =>
  isCommand(word)
    ? perform(options, (context) => followCommand(word, context).catch(exitOfStart), failedExit)
    : perform(options, (context) => showLog(word, options.follow === true, context))
