// What a key may see, in words.
import type { Key } from './answers.ts'
import { groups } from './groups.ts'
import { whole } from './numbers.ts'

/** all connections, those to come too */
export const seesAll = ({ connections }: Pick<Key, 'connections'>): boolean => connections.includes('*')

export const hasAllGroups = (key: Pick<Key, 'groups'>): boolean => key.groups.length === groups.length

/** those that it names and that are not there */
export const missingOf = ({ connections }: Pick<Key, 'connections'>, known: ReadonlySet<string>): readonly string[] =>
  connections.filter((id) => id !== '*' && !known.has(id))

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
