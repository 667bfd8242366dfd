// Parts of definitions in words, for pages, help and agents.
import type { Field, Route, Source } from './define.ts'

export function typeName({ kind, format, items }: Field): string {
  if (kind === 'array' && items) return `list of ${typeName(items)}`
  return format ? `${kind}, ${format}` : kind
}

/** after the description of a field, linkage or filter */
export const personalText = 'Personal data: only for keys with the grant `personal`.'

export const beyondTag = 'beyond the contract'

export const beyondSentence = 'Beyond the contract: it lists ids that other routes need.'

export const beyondText =
  "Routes outside the contract's count: they list the ids that its routes need, under the same rules."

/** of an id of the platform's endpoint that an item shows: the caller's path gives it, or the service reads it from a list */
export const pathText = (name: string, { through }: Source): string =>
  through?.gives === name ? `Which of the ${through.type} lists the item.` : 'As given in the path.'

export const idType = 'string'
export const linkageType = 'string, linkage'

export const reviewSentence = ({ reviewed, from }: Pick<Route, 'reviewed' | 'from'>): string =>
  `Reviewed against platform ${reviewed.version}, \`GET ${from.read}\`, on ${reviewed.date}.`
