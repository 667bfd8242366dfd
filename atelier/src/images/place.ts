// Where a path leads in the build container. Links on the way are followed; what is missing is told, to be made.
import { posix } from 'node:path'
import { quote } from '../../../base/core/quote.ts'
import type { Engine } from '../engine/port.ts'
import { isReserved } from '../files/paths.ts'
import { BuildFailure } from './build-failure.ts'

export interface BuildPlace {
  /** the deepest directory that exists */
  readonly directory: string
  /** levels below it that do not exist, and at the end a file that is replaced */
  readonly rest: readonly string[]
  readonly state: 'directory' | 'file' | 'absent'
}

const mostLinks = 40
const levelsOf = (path: string) => path.split('/').filter((level) => level !== '')

export async function findPlace(engine: Engine, container: string, path: string): Promise<BuildPlace> {
  let left = levelsOf(path)
  let directory = '/'
  for (let links = 0; left.length > 0;) {
    const next = posix.join(directory, left[0]!)
    if (isReserved(next))
      throw new BuildFailure('copy_failed', `The path ${quote(path)} leads into /proc, /sys or /dev.`)
    const state = await engine.stat(container, next)
    if (!state) return { directory, rest: left, state: 'absent' }
    if (state.type === 'directory') {
      directory = next
      left = left.slice(1)
      continue
    }
    const target = state.type === 'symlink' ? state.linkTarget : null
    if (left.length === 1 && !(target !== null && (await isDirectory(engine, container, target))))
      return { directory, rest: left, state: 'file' }
    if (target === null || ++links > mostLinks)
      throw new BuildFailure('copy_failed', `A part of the path ${quote(path)} is not a directory.`)
    left = levelsOf(posix.resolve(directory, target, ...left.slice(1)))
    directory = '/'
  }
  return { directory, rest: [], state: 'directory' }
}

const isDirectory = async (engine: Engine, container: string, path: string) =>
  (await engine.stat(container, path))?.type === 'directory'
