// Keeps compiled code on disk: without it every start strips and compiles all sources.
// Cached code is executed, so the cache is used only where no other user can write.
import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/** owned by us, no link, closed to others: in /tmp another user could have filled it */
function isOurs(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const stat = lstatSync(folder)
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0
  } catch {
    return false
  }
}

/** `home`: the folder of the program; a user who can write it can change the program anyway */
export function useCompileCache(home) {
  const folder = join(home, '.cache')
  if (!process.env.NODE_COMPILE_CACHE && isOurs(folder)) enableCompileCache(folder)
}
