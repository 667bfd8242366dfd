// What a field holds, in words: as pages, help and agents tell it.
import type { Field } from './define.ts'

export function typeWords({ kind, format, items }: Field): string {
  if (kind === 'array' && items) return `list of ${typeWords(items)}`
  return format ? `${kind}, ${format}` : kind
}

export const idType = 'string'
export const linkageType = 'string, linkage'
