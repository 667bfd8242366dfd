// Paths and names that a caller may give: what they may hold, and places that are never touched.
import { invalid } from '../problems.ts'

const mostBytes = 4096
const mostLevels = 64
const mostSegmentBytes = 255

/** why the levels of a path or name cannot be used; undefined: they can */
function segmentsFault(text: string, segments: readonly string[]): string | undefined {
  if (Buffer.byteLength(text) > mostBytes) return `is longer than ${mostBytes} bytes`
  if (segments.length > mostLevels) return `has more than ${mostLevels} levels`
  if (segments.includes('')) return 'has an empty segment or ends in a slash'
  if (segments.includes('.') || segments.includes('..')) return 'has a segment . or ..'
  if (segments.some((one) => Buffer.byteLength(one) > mostSegmentBytes))
    return `has a segment of more than ${mostSegmentBytes} bytes`
  if (text.includes('\0')) return 'holds a NUL'
  if (text.includes('*')) return 'holds a *, which an engine cannot reach'
  return text.isWellFormed() ? undefined : 'is not well-formed Unicode'
}

export const reservedFolders = ['proc', 'sys', 'dev'] as const

/** at or below /proc, /sys and /dev */
export const isReserved = (path: string): boolean => reservedFolders.some((folder) => folder === path.split('/', 2)[1])

/** why this cannot be the path of a request; undefined: it can */
export function pathFault(path: string, allowRoot: boolean): string | undefined {
  if (path === '/') return allowRoot ? undefined : 'is the root directory'
  if (!path.startsWith('/')) return 'is not absolute'
  return (
    segmentsFault(path, path.slice(1).split('/')) ??
    (isReserved(path) ? `is at or below ${reservedFolders.map((one) => `/${one}`).join(', ')}` : undefined)
  )
}

/** Throws unless this can be the `path` of a request. The root is for trees alone. */
export function checkPath(path: string, allowRoot: boolean): void {
  const reason = pathFault(path, allowRoot)
  if (reason !== undefined) throw invalid('path', reason)
}

const control = /\p{Cc}/u

/** whether this can be the name of an entry in a tree: relative, and without `./` in front or a slash at the end */
export const isTreeName = (name: string): boolean =>
  segmentsFault(name, name.split('/')) === undefined && !control.test(name)

export const isLinkText = (target: string): boolean =>
  target !== '' && Buffer.byteLength(target) < mostBytes && !control.test(target) && !target.includes('*')

/** the resident's place in every image */
const serviceDirectory = '/.atelier'

/** where the engines mount files of their own: a write fails, or changes what they bring along */
export const engineMounts: ReadonlySet<string> = new Set([
  ...['hosts', 'hostname', 'resolv.conf'].map((name) => `/etc/${name}`),
  ...['podman-init', '.containerenv'].map((name) => `/run/${name}`),
  ...['/sbin', '/usr/sbin', '/bin', '/usr/bin'].map((folder) => `${folder}/docker-init`),
])

/** what belongs to the engine or to the service in every container */
export const isEngineMount = (path: string): boolean =>
  engineMounts.has(path) || path === serviceDirectory || path.startsWith(`${serviceDirectory}/`)

export const joinPath = (directory: string, name: string): string =>
  directory === '/' ? `/${name}` : `${directory}/${name}`

/** whether the path is the directory, or below it */
export const isWithin = (path: string, directory: string): boolean =>
  path === directory || directory === '/' || path.startsWith(`${directory}/`)

export const tooLong = (path: string): boolean => Buffer.byteLength(path) > mostBytes

/** `0644`, as the answers show it */
export const formatMode = (mode: number): string => mode.toString(8).padStart(4, '0')
