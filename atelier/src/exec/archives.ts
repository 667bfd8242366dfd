// Reads files and folders of a container from inside it, with the rights of its user: the engine's archive call runs as root, and
// a file that becomes a FIFO on the way holds it up for ever. Containers without a resident that can read are read by the engine.
import { Readable } from 'node:stream'
import type { Signal } from '../../../base/core/abort.ts'
import { type Engine, EngineError, type EngineExec, type OutputChunk } from '../engine/port.ts'
import { residentPath } from '../engine/resident.ts'
import type { ArchivePlace, ReadArchive } from '../files/transfer.ts'
import { refuse } from '../problems.ts'
import { type OwnProgramParts, startOwnProgram } from './own-program.ts'

/** exit codes of `resident archive` */
const ends = { absent: 3, otherKind: 4, denied: 5 } as const
const aheadBytes = 1024 * 1024
const ownerBytes = 4

/** how long the first byte may take: another program of the user can stop the reader */
const firstMs = 60_000

export interface ArchivesParts extends OwnProgramParts {
  readonly engine: Engine
}

/** The program that writes a tar. `close` ends it, and does nothing once it has ended. */
interface Reading {
  readonly next: () => Promise<OutputChunk | undefined>
  readonly exitCode: () => Promise<number | undefined>
  readonly close: () => void
  readonly exec: EngineExec
}

async function begin({ container, path, uid, gid }: ArchivePlace, parts: ArchivesParts): Promise<Reading> {
  const argv = [residentPath, 'archive', path]
  const { exec, ended, kill } = await startOwnProgram({ container, argv, user: `${uid}:${gid}` }, parts)
  const output = exec.output[Symbol.asyncIterator]()
  return {
    exec,
    async next() {
      const { done, value } = await output.next()
      if (done) ended()
      return done ? undefined : value
    },
    exitCode: () => exec.exitCode(),
    close: kill,
  }
}

/** returns the first output, or the number of the owner if this user may not read the file */
async function firstOf({ exec, next, exitCode }: Reading): Promise<{ tar: Buffer } | { owner: number }> {
  let said: Buffer = Buffer.alloc(0)
  for (let chunk = await next(); chunk; chunk = await next()) {
    if (chunk.stream === 'stdout') return { tar: chunk.data }
    if (said.length < ownerBytes) said = Buffer.concat([said, chunk.data.subarray(0, ownerBytes)])
  }
  if (exec.startFailure !== undefined) throw new EngineError('failed', `the resident: ${exec.startFailure}`)
  const code = await exitCode()
  if (code === ends.denied && said.length >= ownerBytes) return { owner: said.readUInt32BE() }
  if (code === ends.absent) throw new EngineError('path_gone')
  if (code === ends.otherKind) throw refuse('not_regular')
  throw new EngineError('failed', `the resident read nothing and ended with ${code}`)
}

async function* toEnd(first: Buffer, { next, exitCode }: Reading): AsyncGenerator<Buffer> {
  yield first
  for (let chunk = await next(); chunk; chunk = await next()) if (chunk.stream === 'stdout') yield chunk.data
  const code = await exitCode()
  if (code !== 0) throw new EngineError('failed', `the resident broke off with ${code}`)
}

/** `leave` is called as soon as it is destroyed, also while its reader is waited for */
function tarOf(chunks: AsyncGenerator<Buffer>, leave: () => void): Readable {
  return new Readable({
    highWaterMark: aheadBytes,
    read() {
      chunks.next().then(
        ({ done, value }) => void this.push(done ? null : value),
        (error: unknown) => void this.destroy(error as Error),
      )
    },
    destroy(error, done) {
      leave()
      done(error)
    },
  })
}

async function open(place: ArchivePlace, parts: ArchivesParts, signal: Signal) {
  const reading = await begin(place, parts)
  const { close } = reading
  const broken = Promise.withResolvers<never>()
  const stop = () => {
    close()
    broken.reject(signal.reason)
  }
  const leave = () => signal.removeEventListener('abort', stop)
  const late = setTimeout(() => broken.reject(new EngineError('timeout')), firstMs)
  signal.addEventListener('abort', stop)
  try {
    if (signal.aborted) throw signal.reason
    const first = await Promise.race([firstOf(reading), broken.promise])
    if ('owner' in first) {
      leave()
      return first
    }
    const tar = tarOf(toEnd(first.tar, reading), () => {
      leave()
      close()
    })
    return { tar }
  } catch (error) {
    leave()
    close()
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(late)
  }
}

const mostOwners = 3

/** A file that its user may not read is read once more with the rights of its owner: the account may run commands as either. */
async function readInside(place: ArchivePlace, parts: ArchivesParts, signal: Signal): Promise<Readable> {
  const tried = new Set<number>()
  for (let { uid, gid } = place; tried.size < mostOwners && !tried.has(uid);) {
    const found = await open({ ...place, uid, gid }, parts, signal)
    if ('tar' in found) return found.tar
    tried.add(uid)
    uid = gid = found.owner
  }
  throw refuse('permission_denied')
}

/** one call of the engine at a time for each container: calls that hang do not add up */
function createEngineArchives(engine: Engine): ReadArchive {
  const last = new Map<string, Promise<unknown>>()
  return async ({ container, path }, signal) => {
    const before = last.get(container)
    const over = Promise.withResolvers<void>()
    const mine = Promise.all([before, over.promise])
    last.set(container, mine)
    void mine.finally(() => last.get(container) === mine && last.delete(container))
    try {
      await before
      if (signal.aborted) throw signal.reason
      const tar = await engine.getArchive(container, path)
      tar.once('close', over.resolve)
      return tar
    } catch (error) {
      over.resolve()
      throw error
    }
  }
}

export function createArchives(parts: ArchivesParts): ReadArchive {
  const { engine } = parts
  const byEngine = createEngineArchives(engine)
  return async (place, signal) => {
    const resident = await engine.resident(place.container)
    return resident?.readsFiles ? readInside(place, parts, signal) : byEngine(place, signal)
  }
}
