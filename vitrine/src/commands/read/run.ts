// Runs one read: its pages go to the sink, a failure to standard error.
import type { Page, Vitrine, Walked } from '../../../client/vitrine.ts'
import { isList } from '../../catalogue/define.ts'
import { pageSize } from '../../catalogue/parameters.ts'
import { printableJson, printableLines } from '../../../../base/core/printable.ts'
import { printable } from '../../../../base/cli/output.ts'
import { columnsOf, paintFor, redraws } from '../../../../base/cli/terminal.ts'
import { bindClient, hintFor, openClient } from './client.ts'
import { readClientOptions } from './client-options.ts'
import { exitOf, type ReadFailure, failureOf, interrupted, ndjsonErrorLine, failureText } from './failure.ts'
import { signalExitCode, Interrupted, watchInterrupts } from './interrupts.ts'
import { type Format, parametersOf } from './options.ts'
import { startReadProgress } from './progress.ts'
import { findIds } from './find.ts'
import type { ReadArguments } from './arguments.ts'
import { createSink } from './sinks.ts'
import { ReaderGone, Unwritable, type Write, writeOut } from './standard-output.ts'

type RouteArguments = ReadArguments & { readonly route: NonNullable<ReadArguments['route']> }

/** reported if the read ends early */
interface Outcome {
  walked: Walked
  nextCursor: string | null
}

type ReadRun = ReturnType<typeof openRun>

const formatOf = ({ own }: Pick<ReadArguments, 'own'>): Format =>
  (own.output as Format | undefined) ?? (process.stdout.isTTY ? 'table' : 'json')

/** output must not mix with the progress line */
const showsProgress = (format: Format): boolean =>
  redraws(process.stderr) && (format === 'table' || format === 'json' || !process.stdout.isTTY)

/** a pipe gets every byte; a terminal gets no control characters. Tables escape their own cells */
function writerFor(format: Format): Write {
  if (!process.stdout.isTTY || format === 'table') return writeOut
  const safe = format === 'csv' ? printableLines : printableJson
  return (text) => writeOut(safe(text))
}

const note = (words: string) => void process.stderr.write(`${paintFor(process.stderr)('dim', words)}\n`)

function openRun(asked: RouteArguments) {
  const { route, given, own } = asked
  const caller = readClientOptions({ ...own, keyFile: own['key-file'], insecure: own.insecure !== undefined })
  const format = formatOf(asked)
  const interrupts = watchInterrupts()
  const progress = startReadProgress(showsProgress(format))
  const sink = createSink(format, {
    route,
    fields: given['fields'],
    write: writerFor(format),
    note,
    paint: paintFor(process.stdout),
    width: own.wide === undefined ? columnsOf(process.stdout) : Number.POSITIVE_INFINITY,
    raw: own.raw !== undefined,
    bom: own.bom !== undefined,
  })
  const outcome: Outcome = { walked: { items: 0, cursor: given['cursor'] ?? null }, nextCursor: null }
  const client = openClient(caller, interrupts.signal, progress)
  return { asked, client, caller, sink, progress, interrupts, outcome }
}

/** arguments for the client: lists, and a number for `limit` */
export function paramsOf({ route, given, own }: ReadArguments): Record<string, string | number | readonly string[]> {
  if (!route) return {}
  const params: Record<string, string | number | readonly string[]> = {}
  for (const { name, kind } of parametersOf(route)) {
    const value = given[name]
    if (value === undefined) continue
    const isOne = kind === 'path' || kind === 'cursor'
    params[name] = kind === 'limit' ? Number(value) : isOne ? value : value.split(',')
  }
  // the largest pages cost the least quota
  if (own.all !== undefined && isList(route)) params['limit'] ??= pageSize.most
  return params
}

async function readAllPages({ asked, sink, progress, outcome, interrupts }: ReadRun, client: Vitrine) {
  let pages = 0
  for await (const page of client.walk(asked.route.operation, paramsOf(asked)).pages()) {
    await sink.page(page.items)
    outcome.walked = { items: outcome.walked.items + page.items.length, cursor: page.nextCursor }
    progress.count(outcome.walked.items, ++pages)
    if (page.nextCursor !== null) interrupts.signal.throwIfAborted()
  }
  progress.end()
  await sink.end()
}

async function readOne({ asked, sink, progress, outcome }: ReadRun, client: Vitrine) {
  const body: object = await client.read(asked.route.operation, paramsOf(asked))
  const { items, nextCursor } = isList(asked.route) ? (body as Page<unknown>) : { items: [body], nextCursor: null }
  progress.end()
  await sink.page(items)
  await sink.end(body)
  outcome.nextCursor = nextCursor
}

/** one page must not be taken for the whole list */
function noteMorePages({ asked: { own }, outcome: { nextCursor } }: ReadRun) {
  if (nextCursor !== null && own.all === undefined)
    note(`There are more pages. --all reads all of them; the next page:\n  --cursor ${nextCursor}`)
}

/** programs get the service's error body */
const printsJsonErrors = (asked: RouteArguments): boolean => formatOf(asked).endsWith('json') && !process.stderr.isTTY

async function reportFailure({ asked, client, caller, sink, outcome, progress }: ReadRun, found: ReadFailure) {
  const failure = found.docUrl === '' ? { ...found, docUrl: `${caller.url}/errors/${found.code}` } : found
  const hint = await hintFor(client, caller, failure)
  progress.end()
  const { walked } = outcome
  const context = { walked, isPrinted: sink.streams, hint, paint: paintFor(process.stderr) }
  const words = printsJsonErrors(asked) ? `${JSON.stringify({ error: failure })}\n` : failureText(failure, context)
  process.stderr.write(words)
  await sink.fail(ndjsonErrorLine(failure, walked)).catch(() => {})
}

/** the exit code; rethrows defects */
async function endWith(run: ReadRun, error: unknown): Promise<number> {
  run.progress.end()
  if (error instanceof ReaderGone) return signalExitCode('SIGPIPE')
  // reported by the handler of standard output
  if (error instanceof Unwritable) return 1
  if (error instanceof Interrupted) {
    await reportFailure(run, interrupted(error.signal))
    return signalExitCode(error.signal)
  }
  const failure = failureOf(error)
  if (!failure) throw error
  await reportFailure(run, failure)
  return exitOf(failure)
}

/** with --find: the ids that were not given, each step on standard error */
async function withFound(run: ReadRun, client: Vitrine): Promise<ReadRun> {
  const { asked, progress } = run
  if (asked.own.find === undefined) return run
  const given = await findIds(client, asked.route, asked.given, (words) => {
    progress.end()
    note(printable(words))
  })
  return { ...run, asked: { ...asked, given } }
}

export async function runRead(asked: RouteArguments) {
  const run = openRun(asked)
  const { interrupts, progress, caller, client } = run
  try {
    const bound = await bindClient(client, caller)
    const found = await withFound(run, bound)
    await (asked.own.all === undefined ? readOne(found, bound) : readAllPages(found, bound))
    noteMorePages(run)
  } catch (error) {
    process.exitCode = await endWith(run, error)
  } finally {
    progress.end()
    interrupts.end()
  }
}
