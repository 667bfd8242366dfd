// Writes the entries of a tree in batches. Docker locks a container while it takes a tar: all looking comes before.
import { type ArchiveReason, invalidArchive } from './archive-fault.ts'
import { isEngineMount, isReserved, joinPath, tooLong } from './paths.ts'
import type { Look } from './resolve.ts'
import { batchBytes, sendTar, type Transfer } from './transfer.ts'
import type { TreeEntryType } from './tree-rules.ts'
import { keyOf, parentOf } from './tree-rules.ts'
import { checkWritten, parentItems } from './write-checks.ts'
import { tarHeader, type TarItem, writeTar } from './write-tar.ts'

/** an entry that has passed the rules, with its bytes */
export interface TreeItem extends TarItem {
  readonly path: string
  readonly type: TreeEntryType
}

export interface TreeBase {
  /** exists, without links */
  readonly directory: string
  /** directories below it that are made on the way to the tree */
  readonly missing: readonly string[]
}

export interface TreeWriter {
  add(item: TreeItem): Promise<void>
  /** an entry that is written by itself, as it comes */
  writeLarge(item: TreeItem): Promise<void>
  end(): Promise<void>
}

const looksAtOnce = 8

/** `made`: absent, or made by this tree: nothing of the container is below it */
type Found = 'existing' | 'made' | ArchiveReason

const inTheWay = {
  symlink: 'existing_symlink',
  directory: 'existing_directory',
  file: 'existing_file',
  other: 'existing_special',
} as const

function createFinder(look: Look, fullPathOf: (path: string) => string, root: Found) {
  const directories = new Map<string, Promise<Found>>([['', Promise.resolve(root)]])

  async function findDirectory(path: string): Promise<Found> {
    const parent = await directory(parentOf(path))
    if (parent !== 'existing') return parent
    const state = await look(fullPathOf(path))
    if (!state) return 'made'
    return state.type === 'directory' ? 'existing' : inTheWay[state.type]
  }

  function directory(path: string): Promise<Found> {
    const key = keyOf(path)
    let found = directories.get(key)
    if (!found) {
      found = findDirectory(path)
      directories.set(key, found)
    }
    return found
  }

  /** what stands at the place of a file or a link: `existing` is a file that it replaces */
  async function file(path: string): Promise<Found> {
    const parent = await directory(parentOf(path))
    if (parent !== 'existing') return parent
    const state = await look(fullPathOf(path))
    if (!state) return 'made'
    return state.type === 'file' ? 'existing' : inTheWay[state.type]
  }

  return { directory, file }
}

export function createTreeWriter(transfer: Transfer, look: Look, base: TreeBase): TreeWriter {
  const { target } = transfer
  const prefix = base.missing.map((name) => `${name}/`).join('')
  const fullPathOf = (path: string) => joinPath(base.directory, `${prefix}${path}`)
  const find = createFinder(look, fullPathOf, base.missing.length > 0 ? 'made' : 'existing')
  const made = new Set<string>()
  let waiting: TreeItem[] = []
  let waitingBytes = 0
  let isRootMade = base.missing.length === 0

  async function check({ path, type }: TreeItem): Promise<Found> {
    const full = fullPathOf(path)
    if (isReserved(full) || isEngineMount(full)) return 'engine_mount'
    if (tooLong(full)) return 'bad_name'
    return type === 'directory' ? find.directory(path) : find.file(path)
  }

  /** its parents that neither exist nor were made yet, outermost first */
  async function parentsOf(path: string): Promise<TarItem[]> {
    const absent: string[] = []
    for (let parent = parentOf(path); parent !== ''; parent = parentOf(parent)) {
      if (made.has(keyOf(parent)) || (await find.directory(parent)) === 'existing') break
      made.add(keyOf(parent))
      absent.unshift(parent)
    }
    const [sample] = parentItems(['x'])
    return sample ? absent.map((parent) => ({ ...sample, path: `${prefix}${parent}` })) : []
  }

  /** A directory that exists keeps its owner and mode. */
  async function itemsFor(item: TreeItem, found: Found): Promise<TarItem[]> {
    if (found !== 'existing' && found !== 'made') throw invalidArchive(found, item.path)
    if (item.type === 'directory' && found === 'existing') return []
    const parents = await parentsOf(item.path)
    if (item.type === 'directory') made.add(keyOf(item.path))
    return [...parents, { ...item, path: `${prefix}${item.path}` }]
  }

  async function write(items: readonly TreeItem[]) {
    const found: Found[] = []
    for (let at = 0; at < items.length; at += looksAtOnce)
      found.push(...(await Promise.all(items.slice(at, at + looksAtOnce).map(check))))
    const toWrite: TarItem[] = isRootMade ? [] : parentItems(base.missing)
    for (const [i, item] of items.entries()) toWrite.push(...(await itemsFor(item, found[i] ?? 'bad_name')))
    if (toWrite.length > 0) await sendTar(transfer, base.directory, writeTar(toWrite, target))
    isRootMade = true
    const last = items.findLast(({ type }) => type === 'file')
    if (last) await checkWritten(look, fullPathOf(last.path), last.size)
  }

  async function flush() {
    const items = waiting
    waiting = []
    waitingBytes = 0
    if (items.length > 0 || !isRootMade) await write(items)
  }

  return {
    async add(item) {
      waiting.push(item)
      waitingBytes += tarHeader(item, target).length + item.size
      if (waitingBytes >= batchBytes) await flush()
    },
    async writeLarge(item) {
      if (waiting.length > 0) await flush()
      await write([item])
    },
    end: flush,
  }
}
