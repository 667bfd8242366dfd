// Which keys of the listing are shown.
import type { Key } from '../../answers.ts'
import { finderOf, small } from '../../finding.ts'
import { dayMs } from '../../moments.ts'

export interface Narrowing {
  readonly text: string
  readonly state: 'active' | 'expired' | 'revoked' | 'all'
  /** those that end within two weeks */
  readonly soon: boolean
  /** those that nobody has used for long */
  readonly idle: boolean
}

export const standard: Narrowing = { text: '', state: 'active', soon: false, idle: false }

export const soonDays = 14
export const idleDays = 90

export const endsSoon = ({ state, expiresAt }: Key, now: number): boolean =>
  state === 'active' && expiresAt !== null && Date.parse(expiresAt) - now <= soonDays * dayMs

/** one that was never used is as idle as it is old */
export const isIdle = ({ lastUsedAt, createdAt }: Key, now: number): boolean =>
  now - Date.parse(lastUsedAt ?? createdAt) > idleDays * dayMs

const words = new WeakMap<Key, string>()

function wordsOf(key: Key): string {
  const made = words.get(key) ?? small([key.name, key.id, key.note ?? '', ...key.connections].join('\n'))
  words.set(key, made)
  return made
}

export function narrowed(keys: readonly Key[], narrowing: Narrowing, now: number): readonly Key[] {
  const { state, soon, idle } = narrowing
  const isFound = finderOf(narrowing.text)
  return keys.filter(
    (key) =>
      (state === 'all' || key.state === state) &&
      (!soon || endsSoon(key, now)) &&
      (!idle || isIdle(key, now)) &&
      // an id is told apart by its capitals, but nobody types it from memory
      isFound(wordsOf(key)),
  )
}
