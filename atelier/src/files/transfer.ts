// What every transfer keeps to: it ends with its signal and when either side stands still, and nothing piles up.
import { Readable } from 'node:stream'
import type { Signal } from '../../../base/core/abort.ts'
import { type ProblemCode, refuse } from '../problems.ts'
import { type Engine, EngineError, type EngineFault } from '../engine/port.ts'
import { type ByteSource, readWithin } from './chunks.ts'
import { createRelay, type Relay, type RelayOptions } from './relay.ts'

/** Docker locks the container for the whole of an archive call: what is smaller than this is collected before it. */
export const batchBytes = 4 * 1024 * 1024

export interface FileLimits {
  /** of a file, and of all files of a tree together */
  readonly fileBytes: number
  readonly archiveEntries: number
  /** how long a caller or the engine may stand still */
  readonly stallMs?: number
}

export interface FileTarget {
  readonly container: string
  readonly path: string
  /** the container's user */
  readonly uid: number
  readonly gid: number
  /** the only directory that can be written to; null: all can */
  readonly writable: string | null
  readonly diskMiB: number
}

/** The user whose rights a file is read with. */
export type ArchivePlace = Pick<FileTarget, 'container' | 'path' | 'uid' | 'gid'>

/** A file or a folder as a tar. An entry of the kind `D` cannot be read by this user; its link is the number of its owner. */
export type ReadArchive = (place: ArchivePlace, signal: Signal) => Promise<Readable>

export interface Transfer {
  readonly engine: Engine
  readonly readArchive: ReadArchive
  readonly target: FileTarget
  readonly limits: FileLimits
  readonly signal: Signal
}

const usualStallMs = 60_000

const stallMsOf = ({ limits }: Transfer): number => limits.stallMs ?? usualStallMs

/** a request that sends nothing for too long */
const callerStalled = () => refuse('request_timeout')
const engineStalled = () => new EngineError('timeout')

export const readCaller = (transfer: Transfer, body: ByteSource) =>
  readWithin(body, { stallMs: stallMsOf(transfer), signal: transfer.signal, stalled: callerStalled })

export const readEngine = (transfer: Transfer, archive: Readable) =>
  readWithin(archive, { stallMs: stallMsOf(transfer), signal: transfer.signal, stalled: engineStalled })

/** A stream that is destroyed when what it holds is not read for too long. */
function watched(chunks: ByteSource, transfer: Transfer, stalled: () => Error): Readable {
  const { signal } = transfer
  const stallMs = stallMsOf(transfer)
  let produced = 0
  async function* counted() {
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue
      produced += chunk.length
      yield chunk
    }
  }
  const stream = Readable.from(counted(), { objectMode: false, highWaterMark: batchBytes })
  // it may break off before its reader listens
  stream.on('error', () => undefined)
  let read = 0
  let readAt = performance.now()
  const look = () => {
    const now = produced - stream.readableLength
    if (now !== read || stream.readableLength === 0) readAt = performance.now()
    else if (performance.now() - readAt >= stallMs) stream.destroy(stalled())
    read = now
  }
  const timer = setInterval(look, Math.ceil(stallMs / 8)).unref()
  const stop = () => void stream.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
  stream.once('close', () => {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
  })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
  return stream
}

/** how much of a file waits for a reader that is slower than its source */
const aheadBytes = 1024 * 1024

/** so many bytes of a caller's body, and the end of a tar after them */
export function relayToEngine(
  transfer: Transfer,
  body: Readable,
  sizeBytes: number,
  more: Pick<RelayOptions, 'after' | 'note' | 'hasReader'>,
): Relay {
  return createRelay(body, {
    ...more,
    sizeBytes,
    surplusBytes: 0,
    bufferBytes: sizeBytes > batchBytes ? aheadBytes : sizeBytes + more.after.length,
    stallMs: stallMsOf(transfer),
    signal: transfer.signal,
    sourceStalled: callerStalled,
    readerStalled: engineStalled,
  })
}

/** Returns the file or folder at the path as a tar. */
export async function openArchive({ readArchive, target, signal }: Transfer, path: string, owner = target.uid) {
  const gid = owner === target.uid ? target.gid : owner
  const archive = await readArchive({ container: target.container, path, uid: owner, gid }, signal).catch(
    (error: unknown) => {
      const isGone = error instanceof EngineError && error.fault === 'path_gone'
      throw isGone ? refuse('file_not_found', undefined, { cause: error }) : error
    },
  )
  archive.on('error', () => undefined)
  return archive
}

/** so many bytes of the engine's tar; what follows them are its padding and its end */
export function relayToCaller(transfer: Transfer, archive: Readable, sizeBytes: number): Readable {
  const { stream } = createRelay(archive, {
    sizeBytes,
    surplusBytes: aheadBytes,
    after: Buffer.alloc(0),
    bufferBytes: aheadBytes,
    stallMs: stallMsOf(transfer),
    signal: transfer.signal,
    sourceStalled: engineStalled,
    readerStalled: callerStalled,
    hasReader: () => true,
  })
  return stream
}

export const streamToCaller = (transfer: Transfer, chunks: ByteSource): Readable =>
  watched(chunks, transfer, callerStalled)

/** Writes a tar below the directory. An error of the tar itself is thrown in preference to what the engine makes of it. */
export async function sendTar(transfer: Transfer, directory: string, chunks: ByteSource): Promise<void> {
  let broken: { readonly error: unknown } | undefined
  async function* kept(): ByteSource {
    try {
      yield* chunks
    } catch (error) {
      broken = { error }
      throw error
    }
  }
  await sendStream(transfer, directory, watched(kept(), transfer, engineStalled)).catch((error: unknown) => {
    throw broken && !transfer.signal.aborted ? broken.error : error
  })
}

/** the same for a stream, which has so many bytes if they are given */
export async function sendStream(
  { engine, target, signal }: Transfer,
  directory: string,
  tar: Readable,
  bytes?: number,
) {
  let broken: { readonly error: unknown } | undefined
  tar.on('error', (error) => (broken ??= { error }))
  try {
    await engine.putArchive(target.container, directory, tar, { bytes, freesChunks: true, signal })
  } catch (error) {
    throw asProblem(signal.aborted ? signal.reason : broken ? broken.error : error)
  } finally {
    tar.destroy()
  }
}

const outcomes: Readonly<Partial<Record<EngineFault, ProblemCode>>> = {
  no_space: 'disk_full',
  path_gone: 'parent_not_found',
}

/** After its signal a transfer fails for that reason alone, whatever the call that was broken off reports. */
export const endedBy = <T>(signal: Signal, transfer: Promise<T>): Promise<T> =>
  transfer.catch((error: unknown) => {
    throw signal.aborted ? asProblem(signal.reason) : error
  })

function asProblem(error: unknown): unknown {
  const code = error instanceof EngineError ? outcomes[error.fault] : undefined
  return code === undefined ? error : refuse(code, undefined, { cause: error })
}

export async function collect(chunks: ByteSource): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
