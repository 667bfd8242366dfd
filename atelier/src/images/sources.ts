// The sources of a COPY in the context: what they are, links followed as Docker follows them.
import { posix } from 'node:path'
import { quote } from '../../../base/core/quote.ts'
import { BuildFailure } from './build-failure.ts'
import type { BuildContext } from './context.ts'

export interface CopySource {
  /** as it is written: its last part names a file in the destination */
  readonly name: string
  /** in the context, without links */
  readonly path: string
  readonly isDirectory: boolean
}

const mostRounds = 20

/** the path itself and all above it */
export function* upwards(path: string) {
  for (let at = path; at !== '.' && at !== '/'; at = posix.dirname(at)) yield at
}

export async function findSources(context: BuildContext, names: readonly string[]): Promise<CopySource[]> {
  const targets = new Map<string, string>()
  const readTarget = async (link: string) => {
    const target = targets.get(link) ?? (await context.find(link))?.linkTarget ?? ''
    targets.set(link, target)
    return target
  }
  let paths = [...names]
  for (let round = 0; round < mostRounds; round++) {
    const resolved: string[] = []
    for (const path of paths) resolved.push(await followLink(path, context, readTarget))
    if (resolved.every((path, i) => path === paths[i]))
      return paths.map((path, i) => ({ name: names[i]!, path, isDirectory: isDirectory(names[i]!, path, context) }))
    paths = resolved
  }
  throw new BuildFailure('copy_failed', `A source is a link that leads in a circle: ${names.map(quote).join(', ')}.`)
}

/** with its first link replaced by where that leads */
async function followLink(path: string, context: BuildContext, readTarget: (link: string) => Promise<string>) {
  const link = [...upwards(path)].findLast((at) => context.typeOf(at) === 'symlink')
  if (link === undefined) return path
  return posix.join(posix.dirname(link), await readTarget(link), path.slice(link.length)).replace(/\/$/, '')
}

function isDirectory(name: string, path: string, context: BuildContext): boolean {
  if (path === '.') return true
  const type = context.typeOf(path)
  if (!type) throw new BuildFailure('copy_failed', `The source ${quote(name)} is not in the context.`)
  return type === 'directory'
}
