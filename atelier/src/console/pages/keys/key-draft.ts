// What is filled in for a new key, checked as the API checks it, and the request that it becomes.
import type { Faults } from '../../fault-focus.ts'
import { scopes } from './key-state.ts'

export const blank = {
  name: '',
  may: 'all' as 'all' | 'chosen',
  scopes: [] as readonly string[],
  ends: '90' as keyof typeof lifetimes,
  days: '',
}

export type KeyDraft = Readonly<typeof blank>

export const lifetimes = {
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In a year',
  days: 'After a number of days',
  never: 'Never',
} as const

const mostName = 64
const mostDays = 365

function daysOf({ ends, days }: KeyDraft): number | null {
  if (ends === 'never') return null
  return Number(ends === 'days' ? days : ends)
}

export function faultsOf(draft: KeyDraft): Faults {
  const length = Array.from(draft.name.trim()).length
  const days = daysOf(draft)
  const isDays = days === null || (Number.isInteger(days) && days >= 1 && days <= mostDays)
  const found = [
    ['name', (length === 0 || length > mostName) && `Enter a name of 1 to ${mostName} characters.`],
    ['scopes', draft.may === 'chosen' && draft.scopes.length === 0 && 'Select at least one scope.'],
    ['expiresInDays', !isDays && `Enter a whole number from 1 to ${mostDays}.`],
  ] as const
  return Object.fromEntries(found.filter(([, fault]) => fault)) as Faults
}

export const bodyOf = (draft: KeyDraft) => ({
  name: draft.name.trim(),
  scopes: draft.may === 'all' ? scopes : draft.scopes,
  expiresInDays: daysOf(draft),
})
