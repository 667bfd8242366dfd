// COPY and WORKDIR: an archive of our own, put into the build container.
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { quote } from '../../../base/core/quote.ts'
import type { Engine } from '../engine/port.ts'
import { isEngineMount, isReserved, joinPath } from '../files/paths.ts'
import { type TarItem, type TarOwner, writeTar } from '../files/write-tar.ts'
import { BuildFailure } from './build-failure.ts'
import type { BuildContext, ContextEntry } from './context.ts'
import type { CopyAction } from './dockerfile/plan.ts'
import { type BuildPlace, findPlace } from './place.ts'
import { type CopySource, findSources, upwards } from './sources.ts'

export interface CopyTarget {
  readonly engine: Engine
  readonly container: string
}

/** of one COPY: entries in the engine cost more than their bytes */
const mostEntries = 100_000
/** so few files are looked up; for more, one pass over the context costs less */
const fewSources = 50

const root: TarOwner = { uid: 0, gid: 0 }

export async function makeDirectory({ engine, container }: CopyTarget, path: string): Promise<void> {
  const { directory, rest, state } = await findPlace(engine, container, path)
  if (state === 'file') throw new BuildFailure('step_failed', 'The working directory is a file.')
  if (rest.length > 0)
    await engine.putArchive(container, directory, Readable.from(writeTar(directoryItems(rest), root)))
}

/** `mostBytes`: if it would write more, nothing is sent to the engine */
export async function copyFiles(
  target: CopyTarget,
  context: BuildContext,
  action: CopyAction,
  mostBytes: number,
): Promise<void> {
  const { engine, container } = target
  const sources = await findSources(context, action.sources)
  const place = await findPlace(engine, container, action.destination)
  const toDirectory = action.intoDirectory || place.state === 'directory' || sources.some((one) => one.isDirectory)
  if (toDirectory && place.state === 'file')
    throw new BuildFailure('copy_failed', `The destination ${quote(action.destination)} is a file.`)
  let bytes = 0
  for await (const { entry } of copiedEntries(context, sources, toDirectory)) bytes += entry.size
  if (bytes > mostBytes)
    throw new BuildFailure('image_too_large', `The COPY would write ${bytes} bytes; ${mostBytes} remain.`)
  const [uid, gid] = action.owner.split(':').map(Number)
  const items = copyItems(context, sources, place, toDirectory)
  await engine.putArchive(container, place.directory, Readable.from(writeTar(items, { uid: uid!, gid: gid! })))
}

async function* copyItems(
  context: BuildContext,
  sources: readonly CopySource[],
  { directory, rest }: BuildPlace,
  toDirectory: boolean,
): AsyncGenerator<TarItem> {
  yield* directoryItems(toDirectory ? rest : rest.slice(0, -1))
  for await (const { entry, levels } of copiedEntries(context, sources, toDirectory)) {
    const inside = [...rest, ...levels].join('/')
    refuseEnginePlaces(joinPath(directory, inside))
    yield itemOf(context, entry, inside)
  }
}

interface CopiedEntry {
  readonly entry: ContextEntry
  /** below the destination */
  readonly levels: readonly string[]
}

export async function* copiedEntries(
  context: BuildContext,
  sources: readonly CopySource[],
  toDirectory: boolean,
): AsyncGenerator<CopiedEntry> {
  const byPath = Map.groupBy(sources, ({ path }) => path)
  const isFew = sources.length <= fewSources && sources.every(({ isDirectory }) => !isDirectory)
  let count = 0
  for await (const entry of isFew ? entriesAt(context, byPath.keys()) : context.entries()) {
    for (const at of [...upwards(entry.path), '.']) {
      for (const source of byPath.get(at) ?? []) {
        const levels = targetOf(entry, source, toDirectory)
        if (levels === undefined) continue
        if (++count > mostEntries)
          throw new BuildFailure('copy_failed', `A COPY may write ${mostEntries} files and directories at most.`)
        yield { entry, levels }
      }
    }
  }
}

async function* entriesAt(context: BuildContext, paths: Iterable<string>): AsyncGenerator<ContextEntry> {
  for (const path of paths) {
    const entry = await context.find(path)
    if (entry) yield entry
  }
}

/** the levels below the destination; undefined: nothing of the entry is written, as its contents are */
function targetOf({ path }: ContextEntry, source: CopySource, toDirectory: boolean): string[] | undefined {
  if (!source.isDirectory) return toDirectory ? [posix.basename(source.name)] : []
  if (source.path === '.') return [path]
  return path === source.path ? undefined : [path.slice(source.path.length + 1)]
}

function refuseEnginePlaces(path: string) {
  if (isReserved(path) || isEngineMount(path))
    throw new BuildFailure('copy_failed', `The engine keeps files of its own at ${quote(path)}.`)
}

function itemOf(context: BuildContext, entry: ContextEntry, path: string): TarItem {
  const { type, mode, size, linkTarget, modifiedMs } = entry
  const body = type === 'file' ? context.body(entry) : null
  return { path, type, mode, size, linkTarget, modifiedAt: new Date(modifiedMs), body }
}

function directoryItems(levels: readonly string[]): TarItem[] {
  const modifiedAt = new Date()
  return levels.map((_, i) => ({
    path: levels.slice(0, i + 1).join('/'),
    type: 'directory',
    mode: 0o755,
    size: 0,
    linkTarget: null,
    modifiedAt,
    body: null,
  }))
}
