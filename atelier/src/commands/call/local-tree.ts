// A local directory as entries of a tar, and a tar from a container as a local directory.
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, link, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type RawEntry, readEntries } from '../../files/tar-entries.ts'
import { createTreeRules } from '../../files/tree-rules.ts'
import type { TarItem } from '../../files/write-tar.ts'

/** the service's own limit */
const mostEntries = 20_000

const kindOf = (stat: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }) =>
  stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'symlink' : undefined

/** Sockets, devices and the like are left out; `leave` is told. */
export async function* readLocalTree(root: string, leave: (path: string) => void, below = ''): AsyncGenerator<TarItem> {
  const names = (await readdir(join(root, below))).toSorted()
  for (const name of names) {
    const path = below === '' ? name : `${below}/${name}`
    const file = join(root, path)
    const stat = await lstat(file)
    const type = kindOf(stat)
    if (!type) {
      leave(path)
      continue
    }
    yield {
      path,
      type,
      mode: type === 'symlink' ? 0o777 : stat.mode & 0o777,
      size: type === 'file' ? stat.size : 0,
      linkTarget: type === 'symlink' ? await readlink(file) : null,
      modifiedAt: stat.mtime,
      // what is appended meanwhile is left out; a file without content would stay open
      body: type === 'file' && stat.size > 0 ? createReadStream(file, { end: stat.size - 1 }) : null,
    }
    if (type === 'directory') yield* readLocalTree(root, leave, path)
  }
}

const types: Readonly<Record<string, 'file' | 'hardlink' | 'symlink' | 'directory'>> = {
  '0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'directory',
}

/** undefined: no name that this machine could write as it is */
function nameOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8').replace(/\/$/, '')
  const isText = Buffer.from(bytes.toString('utf8')).equals(bytes)
  return isText && text.split('/').every((one) => one !== '' && one !== '.' && one !== '..') ? text : undefined
}

interface Extraction {
  readonly root: string
  readonly files: Set<string>
  /** made last: nothing is written through a link */
  readonly links: [path: string, target: string][]
  readonly modes: [path: string, mode: number][]
}

async function extract({ root, files, links, modes }: Extraction, entry: RawEntry, name: string) {
  const path = join(root, name)
  const type = types[entry.kind]
  await mkdir(dirname(path), { recursive: true })
  if (type === 'directory') {
    await mkdir(path, { recursive: true })
    modes.push([path, entry.mode & 0o777])
  } else if (type === 'symlink') links.push([path, entry.link.toString()])
  else if (type === 'hardlink') await link(join(root, entry.link.toString()), path)
  else {
    files.add(name)
    await pipeline(Readable.from(entry.body), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    modes.push([path, entry.mode & 0o777])
  }
}

/**
 * Writes into an empty directory of our own. A container is not trusted: what would lead out of the directory is left out, and
 * `leave` is told.
 */
export async function writeLocalTree(source: AsyncIterable<Uint8Array>, root: string, leave: (path: string) => void) {
  const rules = createTreeRules(mostEntries)
  const extraction: Extraction = { root, files: new Set(), links: [], modes: [] }
  const isAllowed = (entry: RawEntry, name: string): boolean => {
    const type = types[entry.kind]
    if (!type) return false
    const target = entry.link.toString()
    if (type === 'hardlink' && !extraction.files.has(target)) return false
    try {
      rules.add(name, type === 'hardlink' ? 'file' : type, type === 'symlink' ? target : null)
      return true
    } catch {
      return false
    }
  }
  for await (const entry of readEntries(source)) {
    const name = nameOf(entry.name)
    if (name !== undefined && isAllowed(entry, name)) await extract(extraction, entry, name)
    else leave(name ?? entry.name.toString())
  }
  for (const [path, target] of extraction.links) await symlink(target, path)
  // the innermost first: a directory may be closed to its owner
  for (const [path, mode] of extraction.modes.toReversed()) await chmod(path, mode)
}
