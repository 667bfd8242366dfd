// What must hold before anything is written to a container, and after.
import { refuse } from '../problems.ts'
import { EngineError } from '../engine/port.ts'
import { isEngineMount, isWithin } from './paths.ts'
import { locateDirectory, type Look, type FoundPath } from './resolve.ts'
import type { TarItem } from './write-tar.ts'
import type { FileTarget } from './transfer.ts'

const mebibyte = 1_048_576

export function checkSize(bytes: number, { diskMiB }: FileTarget, limit: number): void {
  if (bytes > limit) throw refuse('too_large', { limit })
  if (bytes > diskMiB * mebibyte) throw refuse('disk_full')
}

/** places where a container with a read-only root has no volume */
const noVolume = /^\/(?:(?:proc|sys|dev|run)(?:\/.*)?)?$/s

/** Its /tmp is a tmpfs, where Docker would write below the mount: that is no place to write to either. */
async function isWritable(look: Look, path: string, writable: string | null): Promise<boolean> {
  if (writable === null) return true
  if (noVolume.test(writable)) return false
  const area = await locateDirectory(look, writable)
  return area !== undefined && isWithin(path, area)
}

export async function checkPlace(
  look: Look,
  place: FoundPath,
  target: FileTarget,
  createParents: boolean,
): Promise<void> {
  const { path, missing, canMake } = place
  const isAbsent = missing.length > 0 && !(createParents && canMake)
  if (isAbsent) throw refuse('parent_not_found')
  if (isEngineMount(path) || !(await isWritable(look, path, target.writable))) throw refuse('read_only')
}

/** A write that failed may leave a part: only the size that is there now says that it did not. */
export async function checkWritten(look: Look, path: string, size: number): Promise<void> {
  const state = await look(path)
  if (state?.type !== 'file' || state.size !== size)
    throw new EngineError('failed', `a file of ${size} bytes has ${state?.size ?? 'no'} bytes after it was written`)
}

/** directories that are made on the way to an entry; `names` are below one another */
export function parentItems(names: readonly string[]): TarItem[] {
  const common = {
    type: 'directory',
    mode: 0o755,
    size: 0,
    linkTarget: null,
    modifiedAt: new Date(),
    body: null,
  } as const
  return names.map((_, i) => ({ ...common, path: names.slice(0, i + 1).join('/') }))
}
