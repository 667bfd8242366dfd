// Runs one read: its pages go to the sink, a failure to standard error.
import type { Page, Vitrine } from '../../../client/vitrine.ts'
import { isList } from '../../catalogue/define.ts'
import { pathNames } from '../../catalogue/parameters.ts'
import { printableJson, printableLines } from '../../../../base/core/printable.ts'
import { printable } from '../../../../base/cli/output.ts'
import { shellOption } from '../../../../base/core/source-text.ts'
import { columnsOf, paintFor, redraws } from '../../../../base/cli/terminal.ts'
import { bindClient, hintFor, openClient } from './client.ts'
import { readClientOptions } from './client-options.ts'
import { exitOf, type ReadFailure, failureOf, interrupted, ndjsonErrorLine, failureText } from './failure.ts'
import { signalExitCode, Interrupted, watchInterrupts } from './interrupts.ts'
import { type Format, parametersOf } from './options.ts'
import { programName } from '../program-name.ts'
import { startReadProgress } from './progress.ts'
import { leadColumns, stepsTo } from './each.ts'
import { findIds, isAbsent, withIds } from './find.ts'
import { type Outcome, paramsOf } from './parameters.ts'
import { readEach } from './read-each.ts'
import type { ReadArguments } from './arguments.ts'
import { createSink } from './sinks.ts'
import { ReaderGone, Unwritable, type Write, writeOut } from './standard-output.ts'

type RouteArguments = ReadArguments & { readonly route: NonNullable<ReadArguments['route']> }

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
  const steps = own.each === undefined ? undefined : stepsTo(route, given)
  const interrupts = watchInterrupts()
  const progress = startReadProgress(showsProgress(format))
  const sink = createSink(format, {
    route,
    fields: given['fields'],
    lead: steps && leadColumns(steps),
    write: writerFor(format),
    note,
    paint: paintFor(process.stdout),
    width: own.wide === undefined ? columnsOf(process.stdout) : Number.POSITIVE_INFINITY,
    raw: own.raw !== undefined,
    bom: own.bom !== undefined,
  })
  const outcome: Outcome = { walked: { items: 0, cursor: given['cursor'] ?? null }, nextCursor: null }
  const client = openClient(caller, interrupts.signal, progress)
  return { asked, client, caller, steps, sink, progress, interrupts, outcome }
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
  const { walked, at } = outcome
  const context = { walked, at, isPrinted: sink.streams, hint, paint: paintFor(process.stderr) }
  const words = printsJsonErrors(asked)
    ? `${JSON.stringify({ ...(at && { at }), error: failure })}\n`
    : failureText(failure, context)
  process.stderr.write(words)
  await sink.fail({ ...(at && { at }), ...ndjsonErrorLine(failure, walked) }).catch(() => {})
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

/** the whole command, to be repeated without the search */
function commandWords({ route, given, own }: RouteArguments): string {
  const ids = pathNames(route)
  const query = Object.entries(given).filter(([name]) => parametersOf(route).some((one) => one.name === name))
  const others = [...query.filter(([name]) => !ids.includes(name)), ...Object.entries(own)]
    .filter(([name]) => name !== 'find')
    .map(([name, value]) => (value === '' ? `--${name}` : shellOption(name, value)))
  return [programName(), 'read', withIds(route.operation, given), ...others].join(' ')
}

const readAsked = (run: ReadRun, client: Vitrine): Promise<void> =>
  run.asked.own.all === undefined ? readOne(run, client) : readAllPages(run, client)

/** with --find: reads with the first ids that are not absent; each step is on standard error */
async function readFound(run: ReadRun, client: Vitrine): Promise<void> {
  const { asked, progress } = run
  const say = (words: string) => {
    progress.end()
    note(printable(words))
  }
  for await (const given of findIds(client, asked, say)) {
    const found = { ...run, asked: { ...asked, given } }
    try {
      await readAsked(found, client)
      return say(`Found: ${commandWords(found.asked)}`)
    } catch (error) {
      if (!isAbsent(error)) throw error
      say(`${withIds(asked.route.operation, given)}: absent`)
    }
  }
}

export async function runRead(asked: RouteArguments) {
  const run = openRun(asked)
  const { interrupts, progress, caller, client } = run
  try {
    const bound = await bindClient(client, caller)
    const isFound = pathNames(asked.route).every((name) => Object.hasOwn(asked.given, name))
    if (run.steps) await readEach({ ...run, steps: run.steps, isForProgram: printsJsonErrors(asked) }, bound)
    else await (asked.own.find === undefined || isFound ? readAsked(run, bound) : readFound(run, bound))
    noteMorePages(run)
  } catch (error) {
    process.exitCode = await endWith(run, error)
  } finally {
    progress.end()
    interrupts.end()
  }
}
