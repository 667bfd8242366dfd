// One question, asked and answered: its pages go to the sink, and whatever breaks it off is told where it is looked for.
import type { Page, Vitrine, Walked } from '../../../client/vitrine.ts'
import { isList } from '../../catalogue/define.ts'
import { printableJson, printableLines } from '../printable.ts'
import { columnsOf, paintFor, redraws } from '../terminal.ts'
import { bindClient, hintFor, openClient } from './asker.ts'
import { type Caller, readCaller } from './caller.ts'
import { exitOf, type Failure, failureOf, interrupted, lastLineOf, wordsOf } from './failure.ts'
import { exitOnSignal, Interrupted, type Interrupts, watchInterrupts } from './interrupts.ts'
import type { Format } from './options.ts'
import { paramsOf } from './params.ts'
import { type Progress, startWalkProgress } from './progress.ts'
import type { Question } from './question.ts'
import { createSink, type Sink } from './sinks.ts'
import { ReaderGone, Unwritable, type Write, writeOut } from './standard-output.ts'

type Asked = Question & { readonly route: NonNullable<Question['route']> }

/** what is known while it runs, and told when it ends early */
interface Course {
  walked: Walked
  nextCursor: string | null
}

interface Scene {
  readonly asked: Asked
  readonly client: Vitrine
  readonly caller: Caller
  readonly sink: Sink
  readonly progress: Progress
  readonly interrupts: Interrupts
  readonly course: Course
}

const formatOf = ({ own }: Pick<Question, 'own'>): Format =>
  (own.output as Format | undefined) ?? (process.stdout.isTTY ? 'table' : 'json')

/** what is written must not stand in the line that shows the progress */
const showsProgress = (format: Format): boolean =>
  redraws(process.stderr) && (format === 'table' || format === 'json' || !process.stdout.isTTY)

/** behind a pipe every byte as it is; on a terminal nothing that it would act on. A table looks after itself */
function writerFor(format: Format): Write {
  if (!process.stdout.isTTY || format === 'table') return writeOut
  const safe = format === 'csv' ? printableLines : printableJson
  return (text) => writeOut(safe(text))
}

const note = (words: string) => void process.stderr.write(`${paintFor(process.stderr)('dim', words)}\n`)

function openScene(asked: Asked): Scene {
  const { route, given, own } = asked
  const caller = readCaller({ ...own, keyFile: own['key-file'], insecure: own.insecure !== undefined })
  const format = formatOf(asked)
  const interrupts = watchInterrupts()
  const progress = startWalkProgress(showsProgress(format))
  const sink = createSink(format, {
    ...{ route, fields: given['fields'], write: writerFor(format), note, paint: paintFor(process.stdout) },
    width: own.wide === undefined ? columnsOf(process.stdout) : Number.POSITIVE_INFINITY,
    ...{ raw: own.raw !== undefined, bom: own.bom !== undefined },
  })
  const course = { walked: { items: 0, cursor: given['cursor'] ?? null }, nextCursor: null }
  const client = openClient(caller, { signal: interrupts.signal, progress })
  return { asked, client, caller, sink, progress, interrupts, course }
}

async function walkAll({ asked, sink, progress, course, interrupts }: Scene, client: Vitrine) {
  let pages = 0
  for await (const page of client.walk(asked.route.operation, paramsOf(asked)).pages()) {
    await sink.page(page.items)
    course.walked = { items: course.walked.items + page.items.length, cursor: page.nextCursor }
    progress.count(course.walked.items, ++pages)
    if (page.nextCursor !== null) interrupts.signal.throwIfAborted()
  }
  progress.end()
  await sink.end()
}

async function readOne({ asked, sink, progress, course }: Scene, client: Vitrine) {
  const body: object = await client.read(asked.route.operation, paramsOf(asked))
  const { items, nextCursor } = isList(asked.route) ? (body as Page<unknown>) : { items: [body], nextCursor: null }
  progress.end()
  await sink.page(items)
  await sink.end(body)
  course.nextCursor = nextCursor
}

/** a part of a list is never taken for the whole */
function tellMore({ asked: { own }, course: { nextCursor } }: Scene) {
  if (nextCursor !== null && own.all === undefined)
    note(`There is more: this is one page. --all reads to the end, and this the next page:\n  --cursor ${nextCursor}`)
}

/** programs behind both pipes get the body that the service has for errors */
const speaksJson = (asked: Asked): boolean => formatOf(asked).endsWith('json') && !process.stderr.isTTY

async function tellFailure({ asked, client, caller, sink, course, progress }: Scene, found: Failure) {
  const failure = found.docUrl === '' ? { ...found, docUrl: `${caller.url}/errors/${found.code}` } : found
  const hint = await hintFor(client, caller, failure)
  progress.end()
  const { walked } = course
  const telling = { walked, isPrinted: sink.streams, hint, paint: paintFor(process.stderr) }
  const words = speaksJson(asked) ? `${JSON.stringify({ error: failure })}\n` : wordsOf(failure, telling)
  process.stderr.write(words)
  await sink.fail(lastLineOf(failure, walked)).catch(() => {})
}

/** what the process ends with; throws only what is a defect */
async function endWith(scene: Scene, error: unknown): Promise<number> {
  scene.progress.end()
  if (error instanceof ReaderGone) return exitOnSignal('SIGPIPE')
  // said by whoever watches standard output
  if (error instanceof Unwritable) return 1
  if (error instanceof Interrupted) {
    await tellFailure(scene, interrupted(error.signal))
    return exitOnSignal(error.signal)
  }
  const failure = failureOf(error)
  if (!failure) throw error
  await tellFailure(scene, failure)
  return exitOf(failure)
}

export async function runQuestion(asked: Asked) {
  const scene = openScene(asked)
  const { interrupts, progress, caller, client } = scene
  try {
    const bound = await bindClient(client, caller)
    await (asked.own.all === undefined ? readOne(scene, bound) : walkAll(scene, bound))
    tellMore(scene)
  } catch (error) {
    process.exitCode = await endWith(scene, error)
  } finally {
    progress.end()
    interrupts.end()
  }
}
