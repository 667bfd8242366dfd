// The folder of a private engine: made for root alone, and removed with all that the engine left outside of it.
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../../base/cli/user-error.ts'

/** a path of a socket holds at most 107 characters; the engine hides these folders */
const longestFolder = 90
const endLimitMs = 5_000
/** a file that says that everything in the folder may be removed */
const marker = 'private-engine'
const hidden = /^\/(?:run|dev|proc|sys|var\/run|var\/lib\/containers)(?:\/|$)/

function checkFolder(folder: string) {
  if (folder.length > longestFolder || hidden.test(folder))
    throw new UserError(`The folder ${folder} does not suit: it must be short, and outside /run, /dev and /proc.`)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found) return
  const isOurs = found.isDirectory() && found.uid === process.getuid?.()
  const isFree = isOurs && (existsSync(join(folder, marker)) || readdirSync(folder).length === 0)
  if (!isFree) throw new UserError(`${folder} holds something else: choose another folder with --folder.`)
}

/** whether the first process of an engine in this folder lives; it ends with the program that started it */
const isInUse = (folder: string): boolean =>
  globSync('/proc/[0-9]*/cmdline').some((file) => {
    try {
      const words = readFileSync(file, 'utf8').split('\0')
      return words[0] === 'unshare' && words.includes(folder)
    } catch {
      return false
    }
  })

function containerIds(folder: string): readonly string[] {
  try {
    const text = readFileSync(join(folder, 'root/overlay-containers/containers.json'), 'utf8')
    return (JSON.parse(text) as readonly { readonly id: string }[]).map(({ id }) => id)
  } catch {
    return []
  }
}

/** what a container that was killed with its engine leaves: empty groups of processes */
function removeGroups(id: string) {
  const found = globSync(`/sys/fs/cgroup/{,*/}libpod_parent/libpod-{,conmon-}${id}{,/**}`)
  for (const folder of found.toSorted((a, b) => b.length - a.length))
    try {
      rmdirSync(folder)
    } catch {
      // a file of a group, which goes with it
    }
}

/** Waits for the end of an engine whose program was killed. */
export async function removePrivateFolder(folder: string) {
  checkFolder(folder)
  for (const endsAt = performance.now() + endLimitMs; isInUse(folder); await sleep(100))
    if (performance.now() > endsAt)
      throw new UserError(`Another program uses ${folder}: stop it, or choose another folder with --folder.`)
  for (const id of containerIds(folder)) removeGroups(id)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/** Removes what a start before this one left, if that was killed. */
export async function makePrivateFolder(folder: string) {
  await removePrivateFolder(folder)
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, marker), '')
}
