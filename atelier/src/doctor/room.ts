// Whether the store's file is its owner's alone, and whether there is room for the store and for contexts of builds.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { attempt } from '../../../base/core/attempt.ts'
import { openFiles } from '../../../base/core/secret-files.ts'
import type { Settings } from '../settings.ts'
import type { Finding } from './finding.ts'

const mebibyte = 1024 * 1024
const storeBytes = 256 * mebibyte

function examineRoom(place: string, wanted: number, use: string): Finding[] {
  const stat = attempt(() => statfsSync(place))
  const free = stat && stat.bavail * stat.bsize
  if (free === undefined || free >= wanted) return []
  const problem = `${place} has ${Math.floor(free / mebibyte)} MiB left, and ${use} may need ${Math.ceil(wanted / mebibyte)} MiB.`
  return [{ problem, fix: 'Free some space there, or move it to a larger disk.' }]
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
