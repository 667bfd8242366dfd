// Copies the sources of the checkout elsewhere, as a clone of another user would have them: with the modes that a umask leaves, and
// dated otherwise. The tools of node_modules are linked.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface CopyOptions {
  readonly from: string
  readonly to: string
  readonly umask: number
  /** of every file; else now */
  readonly date?: Date
}

function copyFile(source: string, copy: string, { umask, date }: CopyOptions) {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o777 & ~umask })
  const { mode } = lstatSync(source)
  if (lstatSync(source).isSymbolicLink()) return symlinkSync(readlinkSync(source), copy)
  copyFileSync(source, copy)
  chmodSync(copy, ((mode & 0o100) > 0 ? 0o777 : 0o666) & ~umask)
  return date && utimesSync(copy, date, date)
}

export function copySources(options: CopyOptions) {
  const { from, to } = options
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: from,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  // a file that was removed and not yet committed is still listed
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(from, file)))
  for (const file of files) copyFile(join(from, file), join(to, file), options)
  symlinkSync(resolve(from, 'node_modules'), join(to, 'node_modules'))
}
