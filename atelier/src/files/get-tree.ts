// Reads a directory: the engine's tar is rewritten, so that nothing of the engine's or the host's own is in it.
import type { Readable } from 'node:stream'
import { refuse } from '../problems.ts'
import { EngineError } from '../engine/port.ts'
import { isReserved } from './paths.ts'
import { createLook, locate } from './resolve.ts'
import { type RawEntry, readEntries } from './tar-entries.ts'
import { readEngine, streamToCaller, type Transfer } from './transfer.ts'
import { keyOf } from './tree-rules.ts'
import { type TarItem, writeTar } from './write-tar.ts'

type Found = Pick<Transfer, 'engine' | 'target'>

/** Throws unless the target is a directory; answers its path without links. */
export async function findTree({ engine, target }: Found): Promise<string> {
  const { path, state } = await locate(createLook(engine, target.container), target.path)
  if (!state) throw refuse('file_not_found')
  if (state.type !== 'directory') throw refuse('not_directory')
  return path
}

/** one character for each byte: a name in a container need not be UTF-8 */
const textOf = (bytes: Buffer): string => bytes.toString('latin1')

/** the name within the tree; the engine puts the tree's own name in front, and of the root a slash */
function nameWithin(bytes: Buffer, isRoot: boolean): string {
  const levels = textOf(bytes)
    .split('/')
    .filter((one) => one !== '' && one !== '.')
  return (isRoot ? levels : levels.slice(1)).join('/')
}

const types: Readonly<Record<string, TarItem['type']>> = {
  '0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'directory',
}

interface TreeReader {
  readonly isRoot: boolean
  /** the names of files and links so far: a hard link must lead to one of them */
  readonly names: Set<string>
}

function itemOf(entry: RawEntry, { isRoot, names }: TreeReader): TarItem | undefined {
  const type = types[entry.kind]
  const name = nameWithin(entry.name, isRoot)
  if (!type || name === '' || (isRoot && isReserved(`/${name}`))) return undefined
  const link = type === 'hardlink' ? Buffer.from(nameWithin(entry.link, isRoot), 'latin1') : entry.link
  if (type === 'hardlink' && !names.has(keyOf(textOf(link)))) return undefined
  if (type !== 'directory') names.add(keyOf(name))
  return {
    path: Buffer.from(name, 'latin1'),
    type,
    mode: entry.mode & 0o777,
    size: type === 'file' ? entry.size : 0,
    linkTarget: type === 'symlink' || type === 'hardlink' ? link : null,
    modifiedAt: new Date(entry.modifiedSec * 1000),
    body: type === 'file' ? entry.body : null,
  }
}

async function* rewrite(transfer: Transfer, archive: Readable, isRoot: boolean): AsyncGenerator<TarItem> {
  const { fileBytes, archiveEntries } = transfer.limits
  const reader: TreeReader = { isRoot, names: new Set() }
  let entries = 0
  let bytes = 0
  for await (const entry of readEntries(readEngine(transfer, archive))) {
    const item = itemOf(entry, reader)
    if (!item) continue
    entries += 1
    bytes += item.size
    const limit = entries > archiveEntries ? archiveEntries : fileBytes
    if (entries > archiveEntries || bytes > fileBytes) throw refuse('too_large', { limit })
    yield item
  }
}

/** Larger than the limits: breaks off by an error. To be destroyed if it is not read. */
export async function getTree(transfer: Transfer): Promise<Readable> {
  const { engine, target } = transfer
  const path = await findTree(transfer)
  const archive = await engine.getArchive(target.container, path).catch((error: unknown) => {
    const isGone = error instanceof EngineError && error.fault === 'path_gone'
    throw isGone ? refuse('file_not_found', undefined, { cause: error }) : error
  })
  archive.on('error', () => undefined)
  const root = { uid: 0, gid: 0 }
  const tree = streamToCaller(transfer, writeTar(rewrite(transfer, archive, path === '/'), root))
  tree.once('close', () => archive.destroy())
  return tree
}
