// The name under which this program can be called here, so that printed commands can be pasted.
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { shellWord } from '../../../base/core/source-text.ts'

const home = join(import.meta.dirname, '../..')

/** sources are in the package's folder, built files two folders deeper */
const launcherOf = (start: string): string | undefined =>
  [start, join(start, '../..')].map((folder) => join(folder, 'bin/vitrine')).find((file) => existsSync(file))

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
  // npm adds folders to PATH that a shell does not have
  const folders = path.split(delimiter).filter((folder) => !/node_modules[\\/]\.bin$/.test(folder))
  if (folders.some((folder) => folder !== '' && isSame(join(folder, 'vitrine'), launcher))) return 'vitrine'
  if (isSame(join(cwd, 'bin/vitrine'), launcher)) return 'bin/vitrine'
  // never npx, which could fetch a foreign package of this name
  const installed = 'node_modules/.bin/vitrine'
  if (isSame(join(cwd, installed), launcher)) return installed
  return shellWord(launcher)
}
