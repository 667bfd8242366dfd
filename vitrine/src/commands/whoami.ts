// `vitrine whoami`: what the facade key may read, as the service says.
import { drawPairs } from '../../../base/cli/table.ts'
import { paintFor, redraws } from '../../../base/cli/terminal.ts'
import { printJson } from '../../../base/cli/output.ts'
import { type ClientOptions, readClientOptions } from './read/client-options.ts'
import { cellOf } from './read/columns.ts'
import { openClient } from './read/client.ts'
import { exitOf, failureOf, failureText } from './read/failure.ts'
import { startReadProgress } from './read/progress.ts'

export async function whoami(options: Omit<ClientOptions, 'connection'> & { output?: 'table' | 'json' }) {
  const caller = readClientOptions(options)
  const progress = startReadProgress(redraws(process.stderr))
  const asTable = options.output === undefined ? process.stdout.isTTY : options.output === 'table'
  const client = openClient(caller, new AbortController().signal, progress)
  try {
    const answer = await client.whoami()
    progress.end()
    if (!asTable) return printJson(answer)
    const pairs = Object.entries(answer).map(([name, value]) => [name, cellOf(value)] as const)
    const { text } = drawPairs(pairs, Number.POSITIVE_INFINITY, paintFor(process.stdout))
    return void process.stdout.write(`${text}\n`)
  } catch (error) {
    progress.end()
    const failure = failureOf(error)
    if (!failure) throw error
    const telling = { walked: { items: 0, cursor: null }, isPrinted: false, paint: paintFor(process.stderr) }
    const inWords = asTable || process.stderr.isTTY
    process.stderr.write(inWords ? failureText(failure, telling) : `${JSON.stringify({ error: failure })}\n`)
    process.exitCode = exitOf(failure)
  }
}
