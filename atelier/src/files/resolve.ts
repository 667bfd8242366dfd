// Where a path of a request leads inside its container: links among its parents are followed here, step by step.
import type { Signal } from '../../../base/core/abort.ts'
import { refuse } from '../problems.ts'
import { type Engine, EngineError, type PathState } from '../engine/port.ts'
import { isReserved, joinPath } from './paths.ts'

/** the state of a path, a link at its end not followed; undefined: it is absent */
export type Look = (path: string) => Promise<PathState | undefined>

const endless: PathState = { type: 'symlink', mode: 0o777, size: 0, modifiedAt: new Date(0), linkTarget: null }

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 1))

/** Both engines fail at links in a circle. Where the folder can be looked at, that is what stands there. */
export function createLook(engine: Engine, container: string, signal?: Signal): Look {
  return async (path) => {
    try {
      return await engine.stat(container, path, signal)
    } catch (error) {
      const mayBeEndless = error instanceof EngineError && error.fault === 'failed' && path !== '/'
      if (!mayBeEndless) throw error
      const folder = await engine.stat(container, folderOf(path), signal)
      if (folder?.type !== 'directory') throw error
      return endless
    }
  }
}

export interface Location {
  /** the deepest of the parents that exists, without links */
  readonly directory: string
  /** the parents below it that do not exist, outermost first */
  readonly missing: readonly string[]
  /** false: a link among the parents leads to nothing */
  readonly canMake: boolean
}

const mostLinks = 40

const notDirectory = () => refuse('not_directory')

const levelsOf = (path: string): string[] => path.split('/').filter((one) => one !== '' && one !== '.')

async function walk(look: Look, path: string): Promise<Location> {
  let at = '/'
  const left = levelsOf(path)
  let links = 0
  /** so many of those that are left come from a link */
  let linked = 0
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const isLinked = linked > 0
    linked = Math.max(linked - 1, 0)
    if (name === '..') {
      at = folderOf(at)
      continue
    }
    const next = joinPath(at, name)
    if (isReserved(next)) throw notDirectory()
    const state = await look(next)
    if (!state) return { directory: at, missing: [name, ...left], canMake: !isLinked }
    if (state.type === 'directory') at = next
    else {
      const { type, linkTarget } = state
      if (type !== 'symlink' || linkTarget === null || ++links > mostLinks) throw notDirectory()
      const target = levelsOf(linkTarget)
      if (linkTarget.startsWith('/')) at = '/'
      linked += target.length
      left.unshift(...target)
    }
  }
  return { directory: at, missing: [], canMake: true }
}

export interface FoundPath extends Location {
  /** the path without links among its parents */
  readonly path: string
  readonly name: string
  readonly state: PathState | undefined
}

const mostAhead = 8

/** Looks at a path and its parents at once: they are mostly plain directories, so that the walk finds its answers here. */
function lookAhead(look: Look, path: string) {
  const asked = new Map<string, ReturnType<Look>>()
  for (let at = path.indexOf('/', 1); asked.size < mostAhead - 1 && at !== -1; at = path.indexOf('/', at + 1))
    asked.set(path.slice(0, at), look(path.slice(0, at)))
  asked.set(path, look(path))
  const settled = Promise.allSettled(asked.values())
  return { settled, look: (wanted: string) => asked.get(wanted) ?? look(wanted) }
}

/** Finds what stands at the path, a link at its end not followed. */
export async function locate(look: Look, given: string): Promise<FoundPath> {
  if (given === '/') return { directory: '/', missing: [], canMake: true, path: '/', name: '', state: await look('/') }
  const ahead = lookAhead(look, given)
  try {
    return await locateBelow(ahead.look, given)
  } finally {
    // no look may be under way when a transfer begins
    await ahead.settled
  }
}

async function locateBelow(look: Look, given: string): Promise<FoundPath> {
  const cut = given.lastIndexOf('/')
  const name = given.slice(cut + 1)
  const location = await walk(look, given.slice(0, cut))
  const path = joinPath(location.directory, [...location.missing, name].join('/'))
  if (isReserved(path)) throw notDirectory()
  return { ...location, path, name, state: location.missing.length > 0 ? undefined : await look(path) }
}

/** the directory that a path leads to, links at its end followed; undefined: there is none */
export async function locateDirectory(look: Look, path: string): Promise<string | undefined> {
  const { directory, missing } = await walk(look, path)
  return missing.length === 0 ? directory : undefined
}
