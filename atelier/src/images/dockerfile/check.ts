// The values that an instruction may give, after expansion.
import { posix } from 'node:path'
import { invalidDockerfile, type LinePlace } from './invalid.ts'

const maxBytes = 131_072
const maxNames = 128
const maxLabelName = 255
const maxPathBytes = 4096
const maxPathLevels = 64
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/
const userForm = /^(0|[1-9]\d{0,3})(?::(0|[1-9]\d{0,3}))?$/
const portForm = /^(\d{1,5})(?:-(\d{1,5}))?(?:\/(?:tcp|udp|sctp))?$/i
const control = /\p{Cc}/u
const engineDirectories = /^\/(?:proc|sys|dev)(?:\/|$)/

export function envName(name: string, place: LinePlace): string {
  if (!variable.test(name)) throw invalidDockerfile(place, 'the name of a variable is not valid')
  if (name.startsWith('ATELIER_')) throw invalidDockerfile(place, 'names beginning with ATELIER_ are reserved')
  return name
}

export function labelName(name: string, place: LinePlace): string {
  if (name === '' || name.length > maxLabelName || control.test(name))
    throw invalidDockerfile(place, 'the name of a label is not valid')
  if (name.toLowerCase().startsWith('atelier.'))
    throw invalidDockerfile(place, 'labels beginning with atelier. are reserved')
  return name
}

/** Bounds the variables, arguments or labels that a build has gathered so far. */
export function checkGathered(values: ReadonlyMap<string, string>, place: LinePlace): void {
  if (values.size > maxNames) throw invalidDockerfile(place, 'there are more than 128 names')
  let bytes = 0
  for (const [name, value] of values) {
    if (value.includes('\0')) throw invalidDockerfile(place, 'a value holds a NUL character')
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value) + 2
  }
  if (bytes > maxBytes) throw invalidDockerfile(place, 'the values hold more than 128 KiB')
}

/** `uid` or `uid:gid` as `uid:gid`: a uid alone is its own group. */
export function numericUser(text: string, place: LinePlace): string {
  const [, uid, gid = uid] = userForm.exec(text) ?? []
  if (uid === undefined || Number(uid) > 1023 || Number(gid) > 1023)
    throw invalidDockerfile(place, 'a user is uid or uid:gid, each from 0 to 1023')
  return `${uid}:${gid}`
}

export function checkPort(text: string, place: LinePlace): void {
  const [, first, last = first] = portForm.exec(text) ?? []
  if (first === undefined || Number(first) < 1 || Number(last) > 65_535 || Number(first) > Number(last))
    throw invalidDockerfile(place, 'a port is a number from 1 to 65535 or a range, with /tcp, /udp or /sctp')
}

/** An absolute path in the build container, cleaned, without a slash at the end. */
export function containerPath(workingDir: string, path: string, place: LinePlace): string {
  const cleaned = posix.resolve('/', workingDir, path)
  if (path === '') throw invalidDockerfile(place, 'a path is empty')
  if (control.test(path) || path.includes('*'))
    throw invalidDockerfile(place, 'a path holds a control character or an asterisk')
  if (Buffer.byteLength(cleaned) > maxPathBytes || cleaned.split('/').length > maxPathLevels + 1)
    throw invalidDockerfile(place, 'a path is longer than 4096 bytes or 64 levels')
  if (engineDirectories.test(cleaned)) throw invalidDockerfile(place, '/proc, /sys and /dev cannot be written')
  return cleaned
}

/** A source of COPY, relative to the context; `.` is the whole of it. */
export function contextPath(path: string, place: LinePlace): string {
  if (path === '') throw invalidDockerfile(place, 'a source is empty')
  if (/[*?[]/.test(path)) throw invalidDockerfile(place, 'wildcards are not supported')
  const cleaned = posix.normalize(path.replace(/^\/+/, '')).replace(/\/$/, '')
  if (cleaned === '..' || cleaned.startsWith('../')) throw invalidDockerfile(place, 'a source leaves the context')
  return cleaned === '' ? '.' : cleaned
}
