// `atelier run`: a container for one command. It is removed at the end, whatever the end is; a detached one stays.
import { fstatSync } from 'node:fs'
import { AtelierError } from '../../../client/atelier.ts'
import type { Atelier, ExecResult, RunCommandParams } from '../../../client/atelier.ts'
import { printJson, printLine, say } from '../../../../base/cli/output.ts'
import { exitOfStart, failedExit, showOutput, timedOutExit } from './command-output.ts'
import { UsageError } from './exits.ts'
import { type CallOptions, type Context, failureText, perform } from './perform.ts'
import { type Progress, startProgress } from './progress.ts'
import { unlessAborted } from './signals.ts'
import { readRunWish, type RunOptions, type RunWish } from './run-options.ts'

const mostInput = 1024 * 1024

/** a terminal is no input of a command that cannot be talked to; /dev/null has none */
function hasInput(wanted: boolean): boolean {
  try {
    const stat = fstatSync(0)
    return wanted && (stat.isFIFO() || stat.isFile() || stat.isSocket())
  } catch {
    return false
  }
}

/** an input that somebody left open looks like a command that hangs */
const openWords = 'atelier: Waiting for the end of standard input; --no-stdin passes none.'
const openMs = 3_000

async function readInput(): Promise<Buffer> {
  const late = setTimeout(() => say(openWords), openMs)
  try {
    return await readAll()
  } finally {
    clearTimeout(late)
  }
}

async function readAll(): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    length += part.length
    if (length > mostInput)
      throw new UsageError(
        `Standard input has more than ${mostInput} bytes, which is all that a command takes. Run with --keep and no command of yours, copy the data with atelier cp, and read it there.`,
      )
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function createFor(atelier: Atelier, { image, container }: RunWish, progress: Progress): Promise<string> {
  progress.say('Creating a container')
  const { id } = await atelier.createContainer({ image, ...container })
  progress.say('Running')
  return id
}

async function remove(atelier: Atelier, id: string) {
  try {
    await atelier.deleteContainer({ id, graceSeconds: 0 })
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error
    if (error.type === 'container_not_found') return
    process.stderr.write(failureText(error))
    say(
      `atelier: The container ${id} was not removed; it ends by itself. To remove it now: atelier containers remove ${id}`,
    )
  }
}

async function runOne(context: Context, command: RunCommandParams, progress: Progress): Promise<number> {
  const { atelier, signals, isJson } = context
  const { signal } = signals
  if (!isJson) {
    const wish = { ...command, outputEncoding: 'base64' } as const
    const events = atelier.runCommandStream(wish, { signal })
    return showOutput(events, { encoding: 'base64', signal, begun: () => progress.end() })
  }
  const result: ExecResult = await atelier.runCommand({ ...command, detach: undefined }, { signal })
  progress.end()
  printJson({ containerId: command.containerId, ...result })
  return result.timedOut ? timedOutExit : result.exitCode
}

async function runIn(context: Context, wish: RunWish): Promise<number> {
  const { atelier, signals } = context
  const { signal } = signals
  const progress = startProgress('Reading standard input')
  const input = hasInput(wish.takesInput) ? unlessAborted(readInput(), signal) : Promise.resolve(undefined)
  input.catch(() => {})
  // never aborted: without its answer nobody would know what to remove
  const created = createFor(atelier, wish, progress)
  try {
    const id = await unlessAborted(created, signal)
    const stdin = (await input)?.toString('base64')
    const { command, timeoutSeconds } = wish
    const call = { containerId: id, command, timeoutSeconds, ...(stdin && { stdin, stdinEncoding: 'base64' as const }) }
    return await runOne(context, call, progress).catch(exitOfStart)
  } finally {
    progress.end()
    const id = await created.catch(() => undefined)
    if (id !== undefined && wish.isKept) say(`atelier: kept ${id}`)
    else if (id !== undefined) await remove(atelier, id)
  }
}

/** the container stays, and ends by its own times; one in which nothing could be started is removed */
async function startIn({ atelier, signals, isJson }: Context, wish: RunWish): Promise<number> {
  const progress = startProgress('Creating a container')
  const id = await createFor(atelier, wish, progress).finally(() => progress.end())
  try {
    const call = { containerId: id, command: wish.command, detach: true } as const
    const { execId } = await unlessAborted(atelier.runCommand(call), signals.signal)
    if (isJson) printJson({ containerId: id, execId })
    else await printLine(`${id} ${execId}`)
    return 0
  } catch (error) {
    await remove(atelier, id)
    throw error
  }
}

export const run = (image: string, command: readonly string[], options: RunOptions & CallOptions): Promise<never> =>
  perform(
    options,
    (context) => {
      const wish = readRunWish(image, command, options)
      return wish.isDetached ? startIn(context, wish) : runIn(context, wish)
    },
    failedExit,
  )
