// `vitrine whoami`: what the facade key at hand may do, asked of the service itself.
import { drawPairs } from './table.ts'
import { paintFor, redraws } from './terminal.ts'
import { printJson } from './output.ts'
import { type CallerOptions, readCaller } from './read/caller.ts'
import { cellOf } from './read/columns.ts'
import { openClient } from './read/asker.ts'
import { exitOf, failureOf, wordsOf } from './read/failure.ts'
import { startWalkProgress } from './read/progress.ts'

interface WhoamiOptions extends Omit<CallerOptions, 'connection'> {
  readonly output?: 'table' | 'json'
}

export async function whoami(options: WhoamiOptions) {
  const caller = readCaller(options)
  const progress = startWalkProgress(redraws(process.stderr))
  const asTable = options.output === undefined ? process.stdout.isTTY : options.output === 'table'
  const client = openClient(caller, { signal: new AbortController().signal, progress })
  try {
    const told = await client.whoami()
    progress.end()
    if (!asTable) return printJson(told)
    const pairs = Object.entries(told).map(([name, value]) => [name, cellOf(value)] as const)
    const { text } = drawPairs(pairs, Number.POSITIVE_INFINITY, paintFor(process.stdout))
    return void process.stdout.write(`${text}\n`)
  } catch (error) {
    progress.end()
    const failure = failureOf(error)
    if (!failure) throw error
    const telling = { walked: { items: 0, cursor: null }, isPrinted: false, paint: paintFor(process.stderr) }
    const inWords = asTable || process.stderr.isTTY
    process.stderr.write(inWords ? wordsOf(failure, telling) : `${JSON.stringify({ error: failure })}\n`)
    process.exitCode = exitOf(failure)
  }
}
