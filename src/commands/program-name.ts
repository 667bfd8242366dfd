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
  // npm and npx put the folders of a package's commands into PATH for as long as they run: a shell has not got them
  const folders = path.split(delimiter).filter((folder) => !/node_modules[\\/]\.bin$/.test(folder))
  if (folders.some((folder) => folder !== '' && isSame(join(folder, 'vitrine'), launcher))) return 'vitrine'
  if (isSame(join(cwd, 'node_modules/.bin/vitrine'), launcher)) return 'npx vitrine'
  const near = relative(cwd, launcher)
  if (near === 'bin/vitrine') return near
  return shellWord(launcher)
}
