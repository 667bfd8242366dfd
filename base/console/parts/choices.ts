// The choices of a combobox that hold every typed word, in their order.

import { wordMatcher, lowerCase } from '../word-search.ts'

export interface Choice {
  readonly value: string
  readonly label: string
  readonly detail?: string
  readonly group?: string
}

const textOf = ({ label, detail = '', group = '' }: Choice): string => lowerCase(`${label} ${detail} ${group}`)

export function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const isFound = wordMatcher(typed)
  return choices.filter((choice) => isFound(textOf(choice)))
}

/** of values separated by commas, the one that is being typed */
export const lastPart = (text: string): string => text.slice(text.lastIndexOf(',') + 1).trim()
export const withLastPart = (text: string, part: string): string => `${text.slice(0, text.lastIndexOf(',') + 1)}${part}`

export function grouped(choices: readonly Choice[]): readonly (readonly [group: string, choices: readonly Choice[]])[] {
  return [...Map.groupBy(choices, ({ group = '' }) => group)]
}
