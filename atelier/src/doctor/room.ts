// Examines who may read the store's file and who owns it, and the room on the disks and in memory.
import { type StatsFs, statfsSync, statSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
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

/** as another user, the doctor sees other rights than the service, and a command makes files that the service cannot open */
export function examineUser(store: string | undefined, user = process.getuid?.()): Finding[] {
  const owner = store === undefined ? undefined : attempt(() => statSync(store).uid)
  if (owner === undefined || user === undefined || owner === user) return []
  const problem = `The store ${store} belongs to the user ${owner}, and this runs as the user ${user}.`
  return [
    {
      problem,
      fix: `Run the service and its commands as one user: setpriv --reuid ${owner} --clear-groups atelier doctor`,
    },
  ]
}

/** limits that all the memory of the machine cannot hold: advice, since the containers may leave most of theirs unused */
export function examineMemory(settings: Settings, machineMiB = Math.floor(totalmem() / mebibyte)): Finding[] {
  const problems = [
    ['limits.memoryMiB', settings['limits.memoryMiB'], 'the containers of one account'],
    ['commands.keptBytes', Math.ceil(settings['commands.keptBytes'] / mebibyte), 'the output that is kept'],
  ] as const
  return problems.flatMap(([setting, wanted, use]) => {
    if (wanted <= machineMiB) return []
    const problem = `${setting} promises ${wanted} MiB to ${use}, and this machine has ${machineMiB} MiB of memory.`
    return [{ problem, fix: `Set ${setting} to less than ${machineMiB} MiB.`, isAdvice: true }]
  })
}
