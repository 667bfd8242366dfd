// What stands in a folder of a container, and its removal. Names of files are bytes: one that is not UTF-8 is told as base64, too.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatMode, joinPath, pathFault } from '../files/paths.ts'
import { refuse } from '../problems.ts'
import type { Attributes } from '../ssh/sftp/attributes.ts'
import { SftpFault } from '../ssh/sftp/faults.ts'
import { entryAt } from '../ssh/sftp/folder-requests.ts'
import type { FilePlace, ScriptCaller } from '../ssh/sftp/script-caller.ts'
import type { ContainerRecord } from '../store/container-rows.ts'
import { askScript, type ScriptParts } from './script.ts'

const types: Readonly<Record<number, string>> = { 4: 'directory', 8: 'file', 10: 'symlink' }
/** the year 9999 ends then */
const lastSecond = 253_402_300_799

/** entries that are read before other work has its turn */
const entriesAtOnce = 1_000

export interface FolderEntry {
  readonly name: string
  readonly nameBase64: string | null
  readonly type: string
  readonly mode: string
  readonly sizeBytes: number
  readonly modifiedAt: string
  readonly isReachable: boolean
}

export interface Folder {
  readonly path: string
  readonly entries: readonly FolderEntry[]
  readonly total: number
  readonly isComplete: boolean
}

function describe(folder: string, name: Buffer, { mode, size, modified }: Attributes): FolderEntry {
  const text = name.toString()
  const isText = Buffer.from(text).equals(name)
  const seconds = Math.min(Math.max(modified, 0), lastSecond)
  return {
    name: text,
    nameBase64: isText ? null : name.toString('base64'),
    type: types[mode >> 12] ?? 'other',
    mode: formatMode(mode & 0o7777),
    sizeBytes: size,
    modifiedAt: new Date(seconds * 1_000).toISOString(),
    isReachable: isText && pathFault(joinPath(folder, text), false) === undefined,
  }
}

async function list(script: ScriptCaller, path: string, limit: number, most: number): Promise<Folder> {
  const listing = await script.ask('list', { folder: path, name: '.' }, [most]).catch((error: unknown) => {
    throw error instanceof SftpFault && error.reason === 'many' ? refuse('too_large', { limit: most }) : error
  })
  const found: { readonly name: Buffer; readonly attributes: Attributes }[] = []
  for (let entry = entryAt(listing, 0); entry; entry = entryAt(listing, entry.next)) {
    // the container may have put anything in place of its shell, which then ignores the limit
    if (found.length === most) throw refuse('too_large', { limit: most })
    found.push(entry)
    if (found.length % entriesAtOnce === 0) await nextTurn()
  }
  const shown = found.toSorted((a, b) => Buffer.compare(a.name, b.name)).slice(0, limit)
  return {
    path,
    entries: shown.map(({ name, attributes }) => describe(path, name, attributes)),
    total: found.length,
    isComplete: shown.length === found.length,
  }
}

function placeOf(path: string): FilePlace {
  const cut = path.lastIndexOf('/')
  return { folder: path.slice(0, cut) || '/', name: path.slice(cut + 1) }
}

async function remove(script: ScriptCaller, path: string, isRecursive: boolean) {
  const place = placeOf(path)
  if (isRecursive) return script.ask('remove_tree', place)
  return script.ask('remove', place).catch((error: unknown) => {
    if (error instanceof SftpFault && error.reason === 'directory') return script.ask('remove_folder', place)
    throw error
  })
}

export interface FoldersParts extends ScriptParts {
  /** entries of a folder beyond which none is listed */
  readonly mostEntries: number
}

export function createFolders(parts: FoldersParts) {
  return {
    /** the first entries in the order of their bytes; `path` was checked */
    list: (record: ContainerRecord, path: string, limit: number, signal: AbortSignal): Promise<Folder> =>
      askScript(record, parts, signal, (script) => list(script, path, limit, parts.mostEntries)),
    /** a file, a symlink, a folder without entries; or a folder with all that is in it */
    remove: (record: ContainerRecord, path: string, isRecursive: boolean, signal: AbortSignal): Promise<unknown> =>
      askScript(record, parts, signal, (script) => remove(script, path, isRecursive)),
  }
}

export type Folders = ReturnType<typeof createFolders>
