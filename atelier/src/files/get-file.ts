// Reads one file, as the single entry of the engine's tar.
import type { Readable } from 'node:stream'
import { Problem, refuse } from '../problems.ts'
import { EngineError, type PathState } from '../engine/port.ts'
import { formatMode } from './paths.ts'
import { createLook, locate } from './resolve.ts'
import type { ByteSource } from './chunks.ts'
import { readFirst } from './tar-entries.ts'
import { openArchive, readEngine, relayToCaller, type Transfer } from './transfer.ts'

export interface FileStat {
  readonly sizeBytes: number
  /** as `0644` */
  readonly mode: string
  readonly modifiedAt: Date
}

export interface FileContent extends FileStat {
  /** ends early by an error; to be destroyed if it is not read */
  readonly body: Readable
}

type Found = Pick<Transfer, 'engine' | 'target' | 'limits' | 'signal'>

async function findFile({ engine, target, limits, signal }: Found): Promise<{ path: string; state: PathState }> {
  const { path, state } = await locate(createLook(engine, target.container, signal), target.path)
  if (!state) throw refuse('file_not_found')
  if (state.type === 'directory') throw refuse('is_directory')
  if (state.type !== 'file') throw refuse('not_regular')
  const limit = limits.fileBytes
  if (state.size > limit) throw refuse('too_large', { limit })
  return { path, state }
}

const describe = (sizeBytes: number, { mode, modifiedAt }: PathState): FileStat => ({
  sizeBytes,
  mode: formatMode(mode),
  modifiedAt,
})

export async function statFile(found: Found): Promise<FileStat> {
  const { state } = await findFile(found)
  return describe(state.size, state)
}

/** the entry of a tar that has one; what else comes is the engine's fault, not the caller's */
async function firstEntry(chunks: ByteSource, limit: number) {
  const { header, begun } = await readFirst(chunks).catch((error: unknown) => {
    throw error instanceof Problem ? new EngineError('failed', error) : error
  })
  if (header?.kind !== '0') throw refuse('not_regular')
  if (header.size > limit) throw refuse('too_large', { limit })
  return { size: header.size, begun }
}

export async function getFile(transfer: Transfer): Promise<FileContent> {
  const { limits } = transfer
  const { path, state } = await findFile(transfer)
  const archive = await openArchive(transfer, path)
  try {
    const { size, begun } = await firstEntry(readEngine(transfer, archive), limits.fileBytes)
    if (begun.length > 0) archive.unshift(begun)
    const body = relayToCaller(transfer, archive, size)
    body.once('close', () => archive.destroy())
    return { ...describe(size, state), body }
  } catch (error) {
    archive.destroy()
    throw error
  }
}
