// Parts of definitions in words, for pages, help and agents.
import type { Field, Route } from './define.ts'

export function typeName({ kind, format, items }: Field): string {
  if (kind === 'array' && items) return `list of ${typeName(items)}`
  return format ? `${kind}, ${format}` : kind
}

export const idType = 'string'
export const linkageType = 'string, linkage'

export const reviewSentence = ({ reviewed, from }: Pick<Route, 'reviewed' | 'from'>): string =>
  `Reviewed against platform ${reviewed.version}, \`GET ${from.read}\`, on ${reviewed.date}.`
