// Which secret files other users of this machine can read.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { attempt } from './attempt.ts'

/** container platforms give a secret to a group of ours in a file of root: that is allowed */
function isOpen(path: string): boolean {
  // a folder above that is closed to this user is closed to others
  const stat = attempt(() => statSync(path))
  if (!stat) return false
  const readers = stat.uid === 0 && process.getuid?.() !== 0 ? 0o004 : 0o044
  return (stat.mode & readers) !== 0
}

export const openFiles = <T extends { readonly file: string }>(files: readonly T[], folder: string): T[] =>
  files.filter(({ file }) => isOpen(resolve(folder, file)))
