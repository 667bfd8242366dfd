// Files and trees of containers, in and out. The caller of this room checks paths with `checkPath` before.
import type { Readable } from 'node:stream'
import { LightAbort, type Signal } from '../../../base/core/abort.ts'
import type { Engine } from '../engine/port.ts'
import { type FileContent, type FileStat, getFile, statFile } from './get-file.ts'
import { findTree, getTree } from './get-tree.ts'
import { type FileWritten, putFile, type PutFileOptions } from './put-file.ts'
import { putTree, type TreeWritten } from './put-tree.ts'
import { endedBy, type FileLimits, type FileTarget, type ReadArchive } from './transfer.ts'

export interface Files {
  /** `sizeBytes` is the length that the request gives; the body has exactly so many */
  putFile(
    target: FileTarget,
    body: Readable,
    sizeBytes: number,
    options: PutFileOptions,
    signal: Signal,
  ): Promise<FileWritten>
  putTree(
    target: FileTarget,
    body: Readable,
    options: { readonly createParents: boolean },
    signal: Signal,
  ): Promise<TreeWritten>
  statFile(target: FileTarget): Promise<FileStat>
  getFile(target: FileTarget, signal: Signal): Promise<FileContent>
  /** throws as `getTree` does */
  statTree(target: FileTarget): Promise<void>
  getTree(target: FileTarget, signal: Signal): Promise<Readable>
}

/** One at a time for a key: of two that write a file if it is absent, one finds it there. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key)
    const mine = (before ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

export interface FilesParts {
  readonly engine: Engine
  readonly limits: FileLimits
  /** absent: the engine's own archive call, which a file that becomes a FIFO meanwhile holds up */
  readonly readArchive?: ReadArchive
}

export function createFiles({ engine, limits, readArchive }: FilesParts): Files {
  const inTurn = createTurns()
  const never = new LightAbort()
  const byEngine: ReadArchive = ({ container, path }) => engine.getArchive(container, path)
  const common = { engine, limits, readArchive: readArchive ?? byEngine }
  const of = (target: FileTarget, signal: Signal = never) => ({ ...common, target, signal })
  return {
    putFile: (target, body, sizeBytes, options, signal) =>
      inTurn(`${target.container}${target.path}`, () =>
        endedBy(signal, putFile(of(target, signal), body, sizeBytes, options)),
      ),
    putTree: (target, body, { createParents }, signal) =>
      endedBy(signal, putTree(of(target, signal), body, createParents)),
    statFile: (target) => statFile(of(target)),
    getFile: (target, signal) => getFile(of(target, signal)),
    statTree: async (target) => void (await findTree(of(target))),
    getTree: (target, signal) => getTree(of(target, signal)),
  }
}
