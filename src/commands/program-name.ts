// How this program is called from where the reader is, so that a printed line can be pasted as it is.
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { shellWord } from '../samples.ts'

const home = join(import.meta.dirname, '../..')

/** in a checkout the tree is one level up; in a package, what is built lies deeper */
const launcherOf = (start: string): string | undefined =>
  [start, join(start, '..')].map((folder) => join(folder, 'bin/vitrine')).find((file) => existsSync(file))

const isSame = (file: string, launcher: string): boolean => {
  try {
    return realpathSync(file) === realpathSync(launcher)
  } catch {
    return false
  }
}

export function programName(cwd = process.cwd(), path = process.env['PATH'] ?? ''): string {
  const launcher = launcherOf(home)
  if (launcher === undefined) return 'vitrine'
  // while npm runs something, PATH has the folders of its packages' commands: a shell has not got them
  const folders = path.split(delimiter).filter((folder) => !/node_modules[\\/]\.bin$/.test(folder))
  if (folders.some((folder) => folder !== '' && isSame(join(folder, 'vitrine'), launcher))) return 'vitrine'
  // never npx: elsewhere it would ask a registry for a name that is not ours
  const installed = 'node_modules/.bin/vitrine'
  if (isSame(join(cwd, installed), launcher)) return installed
  const near = relative(cwd, launcher)
  if (near === 'bin/vitrine') return near
  return shellWord(launcher)
}
