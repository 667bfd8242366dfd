// Reads a directory: the engine's tar is rewritten, so that nothing of the engine's or the host's own is in it.
import type { Readable } from 'node:stream'
import { Problem, refuse } from '../problems.ts'
import { isReserved, joinPath } from './paths.ts'
import { createLook, locate } from './resolve.ts'
import { type RawEntry, readEntries } from './tar-entries.ts'
import { openArchive, readEngine, streamToCaller, type Transfer } from './transfer.ts'
import { keyOf } from './tree-rules.ts'
import { type TarItem, writeTar } from './write-tar.ts'

type Found = Pick<Transfer, 'engine' | 'target' | 'signal'>

/** Throws unless the target is a directory; answers its path without links. */
export async function findTree({ engine, target, signal }: Found): Promise<string> {
  const { path, state } = await locate(createLook(engine, target.container, signal), target.path)
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

/** the type of an entry that the user of the resident may not read; its link is the number of the owner */
const deniedKind = 'D'

const types: Readonly<Record<string, TarItem['type']>> = {
  '0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'directory',
}

interface TreeReader {
  /** of the folder or file whose archive this is */
  readonly path: string
  /** its name within the tree; empty for the tree itself */
  readonly prefix: string
  readonly uid: number
  /** how many archives lie around this one */
  readonly depth: number
  /** the names of files and links so far: a hard link must lead to one of them */
  readonly names: Set<string>
  /** one count for the whole tree */
  readonly ownerReads: { count: number }
}

const joined = (one: string, other: string): string => [one, other].filter((part) => part !== '').join('/')

function itemOf(entry: RawEntry, { path, prefix, names }: TreeReader): TarItem | undefined {
  const type = types[entry.kind]
  const isRoot = path === '/'
  const name = joined(prefix, nameWithin(entry.name, isRoot))
  if (!type || name === '' || (isRoot && isReserved(`/${name}`))) return undefined
  const link = type === 'hardlink' ? Buffer.from(joined(prefix, nameWithin(entry.link, isRoot)), 'latin1') : entry.link
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

const mostDepth = 8
/** each one starts a program */
const mostOwnerReads = 1_000
const leftOut = new Set(['permission_denied', 'file_not_found', 'not_regular'])

/** A file or folder that the user may not read, from an archive of its owner; left out if the owner may not read it either. */
async function* readDenied(
  transfer: Transfer,
  entry: RawEntry,
  around: TreeReader,
): AsyncGenerator<TarItem | undefined> {
  const name = nameWithin(entry.name, around.path === '/')
  const text = Buffer.from(name, 'latin1').toString()
  const uid = Number(textOf(entry.link))
  const isReadable = Buffer.from(text).toString('latin1') === name && uid !== around.uid && around.depth < mostDepth
  if (!isReadable) return
  if ((around.ownerReads.count += 1) > mostOwnerReads) throw refuse('too_large', { limit: mostOwnerReads })
  const path = joinPath(around.path, text)
  const reader = { ...around, path, prefix: joined(around.prefix, name), uid, depth: around.depth + 1 }
  const archive = await openArchive(transfer, path, uid).catch((error: unknown) => {
    if (error instanceof Problem && leftOut.has(error.code)) return undefined
    throw error
  })
  if (archive) yield* readTree(transfer, archive, reader)
}

/** an entry that cannot be read is given, too: the caller counts it */
async function* readTree(
  transfer: Transfer,
  archive: Readable,
  reader: TreeReader,
): AsyncGenerator<TarItem | undefined> {
  try {
    for await (const entry of readEntries(readEngine(transfer, archive))) {
      const item = itemOf(entry, reader)
      if (item || entry.kind === deniedKind) yield item
      if (entry.kind === deniedKind) yield* readDenied(transfer, entry, reader)
    }
  } finally {
    archive.destroy()
  }
}

async function* rewrite(transfer: Transfer, archive: Readable, path: string): AsyncGenerator<TarItem> {
  const { fileBytes, archiveEntries } = transfer.limits
  const { uid } = transfer.target
  const reader = { path, prefix: '', uid, depth: 0, names: new Set<string>(), ownerReads: { count: 0 } }
  let entries = 0
  let bytes = 0
  for await (const item of readTree(transfer, archive, reader)) {
    entries += 1
    bytes += item?.size ?? 0
    const limit = entries > archiveEntries ? archiveEntries : fileBytes
    if (entries > archiveEntries || bytes > fileBytes) throw refuse('too_large', { limit })
    if (item) yield item
  }
}

/** Larger than the limits: breaks off by an error. To be destroyed if it is not read. */
export async function getTree(transfer: Transfer): Promise<Readable> {
  const path = await findTree(transfer)
  const archive = await openArchive(transfer, path)
  const root = { uid: 0, gid: 0 }
  const tree = streamToCaller(transfer, writeTar(rewrite(transfer, archive, path), root))
  tree.once('close', () => archive.destroy())
  return tree
}
