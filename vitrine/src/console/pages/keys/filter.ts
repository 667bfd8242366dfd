// Which keys of the listing are shown.
import type { Key } from '../../answers.ts'
import { dayMs } from '../../../../../base/console/format.ts'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'

export const standard = { text: '', state: 'active' as Key['state'] | 'all', soon: false, idle: false }

export type KeyFilter = Readonly<typeof standard>

export const soonDays = 14
export const idleDays = 90

export const endsSoon = ({ state, expiresAt }: Key, now: number): boolean =>
  state === 'active' && expiresAt !== null && Date.parse(expiresAt) - now <= soonDays * dayMs

/** a key that was never used is as idle as it is old */
export const isIdle = ({ lastUsedAt, createdAt }: Key, now: number): boolean =>
  now - Date.parse(lastUsedAt ?? createdAt) > idleDays * dayMs

const texts = new WeakMap<Key, string>()

function textOf(key: Key): string {
  const text =
    texts.get(key) ?? lowerCase([key.name, key.id, key.note ?? '', ...key.connections, ...(key.apps ?? [])].join('\n'))
  texts.set(key, text)
  return text
}

export function filtered(keys: readonly Key[], { text, state, soon, idle }: KeyFilter, now: number): readonly Key[] {
  const isFound = wordMatcher(text)
  return keys.filter(
    (key) =>
      (state === 'all' || key.state === state) &&
      (!soon || endsSoon(key, now)) &&
      (!idle || isIdle(key, now)) &&
      isFound(textOf(key)),
  )
}
