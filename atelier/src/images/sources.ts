// The sources of a COPY in the context: what they are, links followed as Docker follows them.
import { posix } from 'node:path'
import { BuildFailure } from './build-failure.ts'
import type { BuildContext, ContextEntry } from './context.ts'

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
  let paths = [...names]
  for (let round = 0; round < mostRounds; round++) {
    const found = await entriesAt(context, new Set(paths.flatMap((path) => [...upwards(path)])))
    const resolved = paths.map((path) => followLink(path, found))
    if (resolved.every((path, i) => path === paths[i]))
      return paths.map((path, i) => ({ name: names[i]!, path, isDirectory: isDirectory(path, found) }))
    paths = resolved
  }
  throw new BuildFailure('copy_failed', 'A source is a link that leads in a circle.')
}

async function entriesAt(context: BuildContext, wanted: ReadonlySet<string>) {
  const found = new Map<string, ContextEntry>()
  for await (const entry of context.entries()) if (wanted.has(entry.path)) found.set(entry.path, entry)
  return found
}

/** with its first link replaced by where that leads */
function followLink(path: string, found: ReadonlyMap<string, ContextEntry>): string {
  const link = [...upwards(path)].findLast((at) => found.get(at)?.type === 'symlink')
  if (link === undefined) return path
  return posix.join(posix.dirname(link), found.get(link)!.linkTarget ?? '', path.slice(link.length)).replace(/\/$/, '')
}

function isDirectory(path: string, found: ReadonlyMap<string, ContextEntry>): boolean {
  if (path === '.') return true
  const entry = found.get(path)
  if (!entry) throw new BuildFailure('copy_failed', 'A source is not in the context.')
  return entry.type === 'directory'
}
