// `atelier logs`: the log of a build, and with --follow what comes until the build ends.
import { printable } from '../../../../base/cli/output.ts'
import { printableLines } from '../../../../base/core/printable.ts'
import type { LogEvent } from '../../../client/atelier.ts'
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

export const logs = (image: string, options: LogsOptions): Promise<never> =>
  perform(options, (context) => showLog(image, options.follow === true, context))
