// What is filled in for a new key, checked as the API checks it, and the request that it becomes.
import { type Group, groups } from '../../../catalogue/groups.ts'
import { dayMs } from '../../../../../base/console/format.ts'

export const blank = {
  name: '',
  note: '',
  sees: 'chosen' as 'chosen' | 'all',
  connections: [] as readonly string[],
  may: 'all' as 'all' | 'chosen',
  groups: [] as readonly Group[],
  /** ids, separated by commas; empty: all */
  apps: '',
  personal: 'no' as 'no' | 'yes',
  ends: '90d' as '30d' | '90d' | '365d' | 'date' | 'never',
  /** as the browser's field gives it */
  date: '',
  rate: 'service' as 'service' | 'own' | 'none',
  perMinute: '',
  /** empty: none */
  platformCallsPerHour: '',
}

export type KeyDraft = Readonly<typeof blank>

const memberNames = [
  'name',
  'note',
  'connections',
  'groups',
  'apps',
  'personal',
  'expires',
  'perMinute',
  'platformCallsPerHour',
] as const
type Member = (typeof memberNames)[number]
export type KeyFaults = Readonly<Partial<Record<Member, string>>>

export interface KeyForm {
  readonly draft: KeyDraft
  readonly faults: KeyFaults
  readonly change: (changed: Partial<KeyDraft>) => void
  /** of a text field */
  readonly field: (name: 'name' | 'note' | 'perMinute' | 'platformCallsPerHour' | 'apps') => {
    readonly value: string
    readonly fault: string | undefined
    readonly onInput: (text: string) => void
  }
}

export type Expiry = Pick<KeyDraft, 'ends' | 'date'>

export const isMember = (name: string | undefined): name is Member => memberNames.some((one) => one === name)

const mostName = 100
const mostNote = 500
const mostConnections = 1_000
const [mostPerMinute, mostCalls] = [1_000_000, 1_000_000]

/** one line that is not blank */
const line = /^[^\p{Cc}\p{Cs}]*[^\p{Cc}\p{Cs}\s][^\p{Cc}\p{Cs}]*$/u

const isLine = (text: string, most: number): boolean => Array.from(text).length <= most && line.test(text)

const mostApps = 100
export const appsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  ),
]

const isWhole = (text: string, most: number): boolean =>
  /^\s*\d{1,7}\s*$/.test(text) && Number(text) >= 1 && Number(text) <= most

export function expiryFault({ ends, date }: Expiry, now: number): string | false {
  if (ends !== 'date') return false
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN
  // `Date.parse` turns 31 February into another day
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(date)) return 'Enter a date.'
  return at <= now && 'Enter a date in the future.'
}

const checks: Readonly<Record<Member, (draft: KeyDraft, now: number) => string | undefined | false>> = {
  name: ({ name }) => !isLine(name.trim(), mostName) && `Enter a name of 1 to ${mostName} characters on one line.`,
  note: ({ note }) =>
    note.trim() !== '' && !isLine(note.trim(), mostNote) && `Use at most ${mostNote} characters on one line.`,
  connections({ sees, connections }) {
    if (sees === 'all') return false
    if (connections.length === 0) return 'Select at least one connection.'
    return connections.length > mostConnections && `Select at most ${mostConnections}, or all of them.`
  },
  groups: ({ may, groups: chosen }) => may === 'chosen' && chosen.length === 0 && 'Select at least one group.',
  apps({ apps }) {
    const ids = appsIn(apps)
    const isGood = ids.length <= mostApps && ids.every((id) => /^[\w-]{1,40}$/.test(id))
    return !isGood && `Enter at most ${mostApps} ids of apps, separated by commas.`
  },
  personal: () => false,
  expires: expiryFault,
  perMinute: ({ rate, perMinute }) =>
    rate === 'own' && !isWhole(perMinute, mostPerMinute) && 'Enter a whole number from 1 to 1,000,000.',
  platformCallsPerHour: ({ platformCallsPerHour: calls }) =>
    calls.trim() !== '' && !isWhole(calls, mostCalls) && 'Enter a whole number from 1 to 1,000,000.',
}

/** what is wrong with it, in the order of the form */
export function faultsOf(draft: KeyDraft, now: number): KeyFaults {
  const found = memberNames.map((member) => [member, checks[member](draft, now)] as const)
  return Object.fromEntries(found.filter(([, fault]) => fault))
}

const rates = { service: undefined, none: 0 } as const

export const expiresOf = ({ ends, date }: Expiry): string => (ends === 'date' ? date : ends)

export function bodyOf(draft: KeyDraft) {
  const { rate } = draft
  const [note, calls] = [draft.note.trim(), draft.platformCallsPerHour.trim()]
  const apps = appsIn(draft.apps)
  return {
    name: draft.name.trim(),
    connections: draft.sees === 'all' ? ['*'] : draft.connections.toSorted(),
    groups: draft.may === 'all' ? undefined : groups.filter((one) => draft.groups.includes(one)),
    apps: apps.length === 0 ? undefined : apps,
    personal: draft.personal === 'yes',
    expires: expiresOf(draft),
    perMinute: rate === 'own' ? Number(draft.perMinute) : rates[rate],
    platformCallsPerHour: calls === '' ? undefined : Number(calls),
    note: note === '' ? undefined : note,
  }
}

const days = { '30d': 30, '90d': 90, '365d': 365 } as const

/** undefined: never, or not known */
export function endOf({ ends, date }: Expiry, now: number): number | undefined {
  if (ends === 'never') return undefined
  const at = ends === 'date' ? Date.parse(date) : now + days[ends] * dayMs
  return Number.isNaN(at) ? undefined : at
}

/** an overlap as the API takes it, in milliseconds; undefined: not valid */
export function spanOf(text: string): number | undefined {
  if (text === '0') return 0
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count === undefined) return undefined
  return Number(count) * (unit === 'm' ? 60_000 : unit === 'h' ? 3_600_000 : dayMs)
}
