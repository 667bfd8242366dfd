// The two ends of `atelier cp`: a local path, and a path in a container.
import { UsageError } from './exits.ts'

export interface RemotePlace {
  /** id or name */
  readonly container: string
  /** without a slash at the end, but for the root itself */
  readonly path: string
  /** whether it ended in a slash: what is copied goes into it under its own name */
  readonly isInto: boolean
}

/** undefined: a local path. `./a:b` is one, too */
function readRemote(word: string): RemotePlace | undefined {
  const [, container, path = ''] = /^([A-Za-z0-9][\w.-]*):(.*)$/s.exec(word) ?? []
  if (container === undefined) return undefined
  if (!path.startsWith('/'))
    throw new UsageError(`${word}: the path in a container is absolute, such as ${container}:/home/u/file.`)
  const bare = path.replace(/\/+$/, '')
  return { container, path: bare === '' ? '/' : bare, isInto: path.endsWith('/') }
}

export type Copy =
  | { readonly way: 'in'; readonly local: string; readonly remote: RemotePlace }
  | { readonly way: 'out'; readonly local: string; readonly remote: RemotePlace }

export function readCopy(from: string, to: string): Copy {
  const [source, target] = [readRemote(from), readRemote(to)]
  if (source && target)
    throw new UsageError('One of the two must be a local path. Write ./a:b for a local one with a colon.')
  if (target) return { way: 'in', local: from, remote: target }
  if (source) return { way: 'out', local: to, remote: source }
  throw new UsageError('One of the two must be in a container, such as job-7:/home/u/file.')
}

/** below a directory of a container */
export const inside = (directory: string, name: string): string =>
  directory === '/' ? `/${name}` : `${directory}/${name}`
