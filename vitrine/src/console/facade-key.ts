// What the console knows of facade keys: the groups of routes, what a key can read, and its id inside its text.
import type { Key } from './answers.ts'
import { whole } from '../../../base/console/format.ts'
import { type Group, groups, groupTexts } from '../catalogue/groups.ts'

export const isGroup = (name: string): name is Group => Object.hasOwn(groupTexts, name)

/** all connections, and those added later */
export const readsAll = ({ connections }: Pick<Key, 'connections'>): boolean => connections.includes('*')

export const hasAllGroups = (key: Pick<Key, 'groups'>): boolean => key.groups.length === groups.length

/** The connections that it names and cannot read any more. `known`: all connections, where they are loaded. */
export function endedOf(key: Pick<Key, 'connections' | 'endedConnections'>, known?: ReadonlySet<string>) {
  const ended = new Set(key.endedConnections)
  return key.connections.filter((id) => id !== '*' && (ended.has(id) || known?.has(id) === false))
}

export const endedWords = 'This connection was removed or now belongs to another account. To read it, create a new key.'

const list = new Intl.ListFormat('en-GB')
export const listed = (names: readonly string[]): string => list.format(names)

/** such as `builds`, `4 of 9` or `all` */
export const groupsText = (key: Pick<Key, 'groups'>): string => {
  if (hasAllGroups(key)) return 'all'
  return key.groups.length === 1 ? String(key.groups[0]) : `${key.groups.length} of ${groups.length}`
}

export const rateText = ({ perMinute }: Pick<Key, 'perMinute'>): string => {
  if (perMinute === null) return 'default'
  return perMinute === 0 ? 'no limit' : `${whole(perMinute)}/min`
}

/** such as `6446998001`, `2` or `all` */
export const appsText = ({ apps }: Pick<Key, 'apps'>): string => {
  if (apps === null) return 'all'
  return apps.length === 1 ? String(apps[0]) : String(apps.length)
}

export const budgetText = ({ platformCallsPerHour: calls }: Pick<Key, 'platformCallsPerHour'>): string =>
  calls === null ? 'none' : `${whole(calls)}/h`

/** a key pasted into a search field is a secret: only its id stays */
export const withoutSecret = (text: string): string => /vtr_(?:live|test)_([0-9A-Za-z]{12})_/.exec(text)?.[1] ?? text
