// Reads files and folders of a container from inside it, with the rights of its user: the engine's archive call runs as root, and
// a file that becomes a FIFO on the way holds it up for ever. Containers without a resident that can read are read by the engine.
import { Readable } from 'node:stream'
import type { Signal } from '../../../base/core/abort.ts'
import { type Engine, EngineError, type EngineExec, type OutputChunk } from '../engine/port.ts'
import { residentPath } from '../engine/resident.ts'
import type { ArchivePlace, ReadArchive } from '../files/transfer.ts'
import { makeId } from '../ids.ts'
import { refuse } from '../problems.ts'
import type { RunningCommands } from './running-commands.ts'
import type { CommandStarter } from './starter.ts'

/** exit codes of `resident archive` */
const ends = { absent: 3, otherKind: 4, denied: 5 } as const
const aheadBytes = 1024 * 1024
const ownerBytes = 4

export interface ArchivesParts {
  readonly engine: Engine
  readonly starter: CommandStarter
  readonly running: RunningCommands
}

/** The program that writes a tar. `close` ends it, and does nothing once it has ended. */
interface Reading {
  readonly next: () => Promise<OutputChunk | undefined>
  readonly exitCode: () => Promise<number | undefined>
  readonly close: () => void
  readonly exec: EngineExec
}

async function begin({ container, path, uid, gid }: ArchivePlace, parts: ArchivesParts): Promise<Reading> {
  const { starter, running } = parts
  const [id, user] = [makeId('ex'), `${uid}:${gid}`]
  const release = running.note(container, id)
  const template = { container, argv: [residentPath, 'archive', path], env: {}, workingDir: '/', user, input: false }
  const exec = await starter.start(id, template, false).catch((error: unknown) => {
    release()
    throw error
  })
  const output = exec.output[Symbol.asyncIterator]()
  let isOver = false
  const end = () => {
    isOver = true
    release()
  }
  return {
    exec,
    async next() {
      const { done, value } = await output.next()
      if (done && !isOver) end()
      return done ? undefined : value
    },
    exitCode: () => exec.exitCode(),
    close() {
      if (isOver) return
      isOver = true
      exec.drain()
      const others = { running: running.of(container).filter((one) => one !== id), hasEnded: running.hasEnded }
      const place = { container, id, user, isKeptAlive: false }
      const killed = starter.kill(place, { container, user, id: makeId('ex') }, others)
      void killed.catch(() => undefined).finally(release)
    },
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

async function open(place: ArchivePlace, parts: ArchivesParts, signal: Signal) {
  const reading = await begin(place, parts)
  const { close } = reading
  const leave = () => signal.removeEventListener('abort', close)
  signal.addEventListener('abort', close)
  try {
    if (signal.aborted) throw signal.reason
    const first = await firstOf(reading)
    if ('owner' in first) {
      leave()
      return first
    }
    const tar = Readable.from(toEnd(first.tar, reading), { objectMode: false, highWaterMark: aheadBytes })
    tar.once('close', () => {
      leave()
      close()
    })
    return { tar }
  } catch (error) {
    leave()
    close()
    throw signal.aborted ? signal.reason : error
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
