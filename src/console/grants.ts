// What a key may see, in words.
import type { Key } from './answers.ts'
import { groups } from './groups.ts'
import { whole } from './numbers.ts'

/** all connections, those to come too */
export const seesAll = ({ connections }: Pick<Key, 'connections'>): boolean => connections.includes('*')

export const hasAllGroups = (key: Pick<Key, 'groups'>): boolean => key.groups.length === groups.length

/** Those that it names and does not read: removed, or of another account now. `known`: all connections, where they are here. */
export function endedOf(key: Pick<Key, 'connections' | 'endedConnections'>, known?: ReadonlySet<string>) {
  const ended = new Set(key.endedConnections)
  return key.connections.filter((id) => id !== '*' && (ended.has(id) || known?.has(id) === false))
}

export const endedWords = 'It was removed, or has another account now. If this key should read it, make another key.'

const list = new Intl.ListFormat('en-GB')
export const listed = (names: readonly string[]): string => list.format(names)

/** such as `builds`, `4 of 9` or `all` */
export const groupsText = (key: Pick<Key, 'groups'>): string => {
  if (hasAllGroups(key)) return 'all'
  return key.groups.length === 1 ? String(key.groups[0]) : `${key.groups.length} of ${groups.length}`
}

export const rateText = ({ perMinute }: Pick<Key, 'perMinute'>): string => {
  if (perMinute === null) return "service's"
  return perMinute === 0 ? 'no limit' : `${whole(perMinute)}/min`
}
