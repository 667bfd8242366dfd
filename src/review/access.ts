// Whether an endpoint is opened by what the service has: one bearer token, and nothing beside it.
import { isJson, listOf, member, type Operation, type VendorDocument } from './document.ts'
import type { Difference } from './finding.ts'

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : 'unknown')

export function accessDifferences(at: string, { get }: Operation, { security, scheme }: VendorDocument): Difference[] {
  const ways = listOf(member(get, 'security') ?? security).filter(isJson)
  const kindOf = (name: string): string =>
    [member(scheme(name), 'type'), member(scheme(name), 'scheme')].filter(Boolean).map(wordOf).join(' ').toLowerCase()
  const kinds = ways.map((way) => Object.keys(way).map(kindOf))
  // where nothing is said of it, there is nothing to compare
  if (kinds.length === 0 || kinds.some((way) => way.every((kind) => kind === 'http bearer'))) return []
  const theirs = kinds.map((way) => way.join(' and ')).join(' or ')
  return [{ class: 'access-changed', at, ours: 'http bearer', theirs }]
}
