// Where a path of a client lies: it may be relative, and hold `.` and `..`, which are taken off before any link is followed. After
// that it keeps to the rules of the file routes.
import { isReserved, joinPath, pathFault } from '../../files/paths.ts'
import { faultOf, SftpFault } from './faults.ts'
import type { FilePlace } from './script-caller.ts'

const mostGivenBytes = 8_192

export function textOf(given: Buffer): string {
  const text = given.toString()
  if (given.length > mostGivenBytes) throw new SftpFault('failure', 'The path is too long.')
  if (text.includes('\0')) throw new SftpFault('failure', 'The path holds a NUL.')
  if (!Buffer.from(text).equals(given)) throw new SftpFault('failure', 'The path is not UTF-8.')
  return text
}

/** `from`: where a relative path begins */
export function normalize(text: string, from: string): string {
  const levels: string[] = []
  for (const level of (text.startsWith('/') ? text : `${from}/${text}`).split('/')) {
    if (level === '..') levels.pop()
    else if (level !== '' && level !== '.') levels.push(level)
  }
  return `/${levels.join('/')}`
}

export function pathOf(given: Buffer, from: string): string {
  const path = normalize(textOf(given), from)
  if (isReserved(path)) throw faultOf('reserved')
  const fault = pathFault(path, true)
  if (fault !== undefined) throw new SftpFault('failure', `The path ${fault}.`)
  return path
}

export function placeOf(given: Buffer, from: string): FilePlace {
  const path = pathOf(given, from)
  const cut = path.lastIndexOf('/')
  return { folder: path.slice(0, cut) || '/', name: path.slice(cut + 1) || '.' }
}

/** the same for what is made, moved or removed, which the root directory never is */
export function changeablePlaceOf(given: Buffer, from: string): FilePlace {
  const place = placeOf(given, from)
  if (place.name === '.') throw new SftpFault('denied', 'The root directory cannot be changed.')
  return place
}

/** what a new link leads to: nothing that the path of a request may not name */
export function linkTargetOf(given: Buffer, { folder }: FilePlace): string {
  const text = textOf(given)
  if (text === '') throw faultOf('absent')
  pathOf(given, folder)
  return text
}

export const fullPath = ({ folder, name }: FilePlace): string => joinPath(folder, name)
