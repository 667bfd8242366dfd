// Whether others on this machine can get at the files of an embedded store: hashes and grants of keys, and the secret that seals
// cursors, are in them.
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Verdict, warn } from './finding.ts'

const octal = (mode: number): string => (mode & 0o7777).toString(8)

/** in a folder that others may write they can put another file in the place of the store; not where each owns their own */
const isShared = (mode: number): boolean => (mode & 0o022) !== 0 && (mode & 0o1000) === 0

/** undefined where all is closed */
export function judgeModes(path: string): Verdict | undefined {
  if (process.platform === 'win32') return undefined
  const files = [path, `${path}-wal`, `${path}-shm`]
    .filter((file) => existsSync(file))
    .map((file) => ({ file, mode: statSync(file).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
  const folder = dirname(path)
  const { mode } = statSync(folder)
  if (files.length === 0 && !isShared(mode)) return undefined
  const causes = files.map(({ file, mode: open }) => `${file} has mode ${octal(open)}`)
  const cures = files.length > 0 ? [`chmod 600 ${files.map(({ file }) => file).join(' ')}`] : []
  if (isShared(mode)) {
    causes.push(`${folder} has mode ${octal(mode)}`)
    cures.push(`chmod go-w ${folder}`)
  }
  return warn('Others on this machine can get at the store.', { cause: causes.join('; '), cure: cures.join(' && ') })
}
