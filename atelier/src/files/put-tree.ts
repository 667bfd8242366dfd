// Writes a tree from a caller's tar: entries are read, looked for in the container, and written anew in batches.
import type { Readable } from 'node:stream'
import { refuse } from '../problems.ts'
import { readTar, type TarEntry } from './read-tar.ts'
import { createLook, locate } from './resolve.ts'
import { batchBytes, collect, readCaller, type Transfer } from './transfer.ts'
import { createTreeWriter } from './tree-writer.ts'
import { checkPlace, checkSize } from './write-checks.ts'

export interface TreeWritten {
  readonly path: string
  readonly entries: number
  readonly sizeBytes: number
}

/** A small entry keeps a copy of its bytes: the chunk that they came in would be far larger. */
const contentOf = async ({ body, size }: TarEntry): Promise<Buffer | null> =>
  size === 0 ? null : Buffer.from(await collect(body))

export async function putTree(transfer: Transfer, body: Readable, createParents: boolean): Promise<TreeWritten> {
  const { engine, target, limits, signal } = transfer
  const look = createLook(engine, target.container, signal)
  const place = await locate(look, target.path)
  if (place.state && place.state.type !== 'directory') throw refuse('not_directory')
  if (!place.state && !createParents) throw refuse('parent_not_found')
  await checkPlace(look, place, target, createParents)

  const missing = place.state ? [] : [...place.missing, place.name]
  const writer = createTreeWriter(transfer, look, { directory: place.state ? place.path : place.directory, missing })
  const most = { entries: limits.archiveEntries, bytes: limits.fileBytes }
  let entries = 0
  let sizeBytes = 0
  for await (const entry of readTar(readCaller(transfer, body), most)) {
    if (entry.path === '') continue
    entries += 1
    sizeBytes += entry.size
    checkSize(sizeBytes, target, limits.fileBytes)
    if (entry.size > batchBytes) await writer.writeLarge(entry)
    else await writer.add({ ...entry, body: await contentOf(entry) })
  }
  await writer.end()
  return { path: target.path, entries, sizeBytes }
}
