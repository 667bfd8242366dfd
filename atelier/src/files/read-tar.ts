// Reads a caller's tar. What it answers is safe to write anew; the first entry that is not ends it with a Problem.
import { refuse } from '../problems.ts'
import { type ArchiveReason, invalidArchive } from './archive-fault.ts'
import type { ByteSource } from './chunks.ts'
import { isTreeName } from './paths.ts'
import { type RawEntry, readEntries } from './tar-entries.ts'
import { createTreeRules, type TreeEntryType } from './tree-rules.ts'

export interface TarLimits {
  readonly entries: number
  /** of all files together */
  readonly bytes: number
}

export interface TarEntry {
  /** relative, without a slash at the end; empty: the tree's own directory */
  readonly path: string
  readonly type: TreeEntryType
  readonly mode: number
  readonly size: number
  readonly linkTarget: string | null
  readonly modifiedAt: Date
  /** what of it is not read before the next entry is skipped */
  readonly body: AsyncIterable<Buffer>
}

const types: Readonly<Record<string, TreeEntryType>> = { '0': 'file', '2': 'symlink', '5': 'directory' }
const refused: Readonly<Record<string, ArchiveReason>> = {
  '1': 'hard_link',
  '3': 'device',
  '4': 'device',
  '6': 'fifo',
  S: 'sparse',
}

/** bytes that are not UTF-8 would come out as another name */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : undefined
}

/** without `./` in front, and for directories without a slash at the end */
function pathOf({ name }: RawEntry, type: TreeEntryType): string {
  const text = textOf(name)
  if (text === undefined || text === '') throw invalidArchive('bad_name', name)
  const bare = text.replace(/^(\.\/)+/, '')
  if (type !== 'directory') {
    if (!isTreeName(bare)) throw invalidArchive('bad_name', name)
    return bare
  }
  const path = bare === '.' ? '' : bare.replace(/\/$/, '')
  if (bare === '/' || (path !== '' && !isTreeName(path))) throw invalidArchive('bad_name', name)
  return path
}

function linkTargetOf({ link, name }: RawEntry): string {
  const text = textOf(link)
  if (text === undefined) throw invalidArchive('bad_target', name)
  return text
}

const plainBits = 0o777

function describe(raw: RawEntry): TarEntry {
  const type = types[raw.kind]
  if (!type) throw invalidArchive(refused[raw.kind] ?? 'unknown_kind', raw.name)
  const path = pathOf(raw, type)
  if ((raw.mode & ~plainBits) !== 0) throw invalidArchive('bad_mode', path)
  if (type !== 'file' && raw.size !== 0) throw invalidArchive('bad_size', path)
  const linkTarget = type === 'symlink' ? linkTargetOf(raw) : null
  const { mode, size, body } = raw
  return { path, type, mode, size, linkTarget, modifiedAt: new Date(Math.max(raw.modifiedSec, 0) * 1000), body }
}

/** Reads no further than it is asked, and leaves the source open. */
export async function* readTar(source: ByteSource, limits: TarLimits): AsyncGenerator<TarEntry, void, undefined> {
  const rules = createTreeRules(limits.entries)
  let bytes = 0
  for await (const raw of readEntries(source)) {
    const entry = describe(raw)
    rules.add(entry.path, entry.type, entry.linkTarget)
    bytes += entry.size
    if (bytes > limits.bytes) throw refuse('too_large', { limit: limits.bytes })
    yield entry
  }
}
