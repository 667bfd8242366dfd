// What is filled in for a new key, checked as the door checks it, and the request that it becomes.
import type { CreateKeyBody } from '../../answers.ts'
import { type Group, groups } from '../../groups.ts'
import { dayMs } from '../../moments.ts'

export interface Draft {
  readonly name: string
  readonly note: string
  readonly sees: 'chosen' | 'all'
  readonly connections: readonly string[]
  readonly may: 'all' | 'chosen'
  readonly groups: readonly Group[]
  readonly ends: '30d' | '90d' | '365d' | 'date' | 'never'
  /** as a field for dates gives it */
  readonly date: string
  readonly rate: 'service' | 'own' | 'none'
  readonly perMinute: string
}

export const blank: Draft = {
  ...{ name: '', note: '', sees: 'chosen', connections: [], may: 'all', groups: [] },
  ...{ ends: '90d', date: '', rate: 'service', perMinute: '' },
}

export const memberNames = ['name', 'note', 'connections', 'groups', 'expires', 'perMinute'] as const
export type Member = (typeof memberNames)[number]
export type Faults = Readonly<Partial<Record<Member, string>>>

/** a form under way */
export interface Filling {
  readonly draft: Draft
  readonly faults: Faults
  readonly change: (changed: Partial<Draft>) => void
}

export const isMember = (name: string | undefined): name is Member => memberNames.some((one) => one === name)

const mostName = 100
const mostNote = 500
const mostConnections = 1_000
const mostPerMinute = 1_000_000

/** one line, with something to be seen in it */
const line = /^[^\p{Cc}\p{Cs}]*[^\p{Cc}\p{Cs}\s][^\p{Cc}\p{Cs}]*$/u

const isLine = (text: string, most: number): boolean => Array.from(text).length <= most && line.test(text)

const checks: Readonly<Record<Member, (draft: Draft, now: number) => string | undefined | false>> = {
  name: ({ name }) => !isLine(name.trim(), mostName) && `Say what it is for, in 1 to ${mostName} letters on one line.`,
  note: ({ note }) =>
    note.trim() !== '' && !isLine(note.trim(), mostNote) && `Use at most ${mostNote} letters, on one line.`,
  connections({ sees, connections }) {
    if (sees === 'all') return false
    if (connections.length === 0) return 'Choose at least one connection.'
    return connections.length > mostConnections && `Choose at most ${mostConnections}, or all of them.`
  },
  groups: ({ may, groups: chosen }) => may === 'chosen' && chosen.length === 0 && 'Choose at least one group.',
  expires({ ends, date }, now) {
    if (ends !== 'date') return false
    const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN
    // 31 February is another day for whoever reads it
    if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(date)) return 'Choose a day.'
    return at <= now && 'Choose a day that is still to come.'
  },
  perMinute: ({ rate, perMinute }) =>
    rate === 'own' &&
    !(/^\d{1,7}$/.test(perMinute) && Number(perMinute) >= 1 && Number(perMinute) <= mostPerMinute) &&
    'Write a whole number from 1 to 1,000,000.',
}

/** what is wrong with it, in the order of the form */
export function faultsOf(draft: Draft, now: number): Faults {
  const found = memberNames.map((member) => [member, checks[member](draft, now)] as const)
  return Object.fromEntries(found.filter(([, fault]) => fault))
}

const rates = { service: undefined, none: 0 } as const

export function bodyOf(draft: Draft): CreateKeyBody {
  const { ends, rate } = draft
  const note = draft.note.trim()
  return {
    name: draft.name.trim(),
    connections: draft.sees === 'all' ? ['*'] : draft.connections.toSorted(),
    groups: draft.may === 'all' ? undefined : groups.filter((one) => draft.groups.includes(one)),
    expires: ends === 'never' ? undefined : ends === 'date' ? draft.date : ends,
    perMinute: rate === 'own' ? Number(draft.perMinute) : rates[rate],
    note: note === '' ? undefined : note,
  }
}

const days = { '30d': 30, '90d': 90, '365d': 365 } as const

/** when it would end; undefined where that is not known or never */
export function endOf({ ends, date }: Pick<Draft, 'ends' | 'date'>, now: number): number | undefined {
  if (ends === 'never') return undefined
  const at = ends === 'date' ? Date.parse(date) : now + days[ends] * dayMs
  return Number.isNaN(at) ? undefined : at
}

/** how long an old key goes on: what the door takes, in milliseconds */
export function spanOf(text: string): number | undefined {
  if (text === '0') return 0
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count === undefined) return undefined
  return Number(count) * (unit === 'm' ? 60_000 : unit === 'h' ? 3_600_000 : dayMs)
}
