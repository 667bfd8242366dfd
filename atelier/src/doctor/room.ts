// Whether the store's file is its owner's alone, and whether there is room for the store and for contexts of builds.
import { type StatsFs, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { attempt } from '../../../base/core/attempt.ts'
import { openFiles } from '../../../base/core/secret-files.ts'
import type { Settings } from '../settings.ts'
import type { Finding } from './finding.ts'

const mebibyte = 1024 * 1024
const leastInodes = 0.1
const storeBytes = 256 * mebibyte

function examineRoom(place: string, wanted: number, use: string): Finding[] {
  const stat = attempt(() => statfsSync(place))
  const free = stat && stat.bavail * stat.bsize
  if (free === undefined || free >= wanted) return []
  const problem = `${place} has ${Math.floor(free / mebibyte)} MiB left, and ${use} may need ${Math.ceil(wanted / mebibyte)} MiB.`
  return [{ problem, fix: 'Free some space there, or move it to a larger disk.' }]
}

/** No engine counts the inodes of a container. On another machine than the engine's there is no such folder. */
export function examineInodes(
  storage: string,
  statOf: (path: string) => Pick<StatsFs, 'files' | 'ffree'> = statfsSync,
): Finding[] {
  const stat = attempt(() => statOf(storage))
  // some file systems have no fixed number of them
  if (!stat || stat.files === 0 || stat.ffree >= stat.files * leastInodes) return []
  const problem = `The engine's storage ${storage} has ${stat.ffree} of ${stat.files} inodes left: one container may take them all.`
  const fix = 'Delete containers and images, or move the storage to a file system with more inodes, such as XFS.'
  return [{ problem, fix }]
}

/** `store`: the file of a SQLite store */
export function examineFiles(settings: Settings, store: string | undefined): readonly Finding[] {
  const contexts = examineRoom(tmpdir(), settings['limits.contextBytes'], 'the context of a build')
  if (store === undefined) return contexts
  const open = openFiles([{ file: store }], '/').map(({ file }) => ({
    problem: `Other users of this machine can read the store ${file}.`,
    fix: `chmod 600 ${file}, and keep it in a folder of mode 0700.`,
  }))
  return [...contexts, ...examineRoom(dirname(store), storeBytes, 'the store'), ...open]
}
