// What a field of choices offers while one types: those that hold every word of it, in their order.

import { finderOf, small } from '../finding.ts'

export interface Choice {
  readonly value: string
  readonly label: string
  /** said beside it */
  readonly detail?: string
  /** those of a group stand together */
  readonly group?: string
}

const textOf = ({ label, detail = '', group = '' }: Choice): string => small(`${label} ${detail} ${group}`)

export function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const isFound = finderOf(typed)
  return choices.filter((choice) => isFound(textOf(choice)))
}

/** where several values stand with commas between them, the one that is being typed */
export const lastPart = (text: string): string => text.slice(text.lastIndexOf(',') + 1).trim()
export const withLastPart = (text: string, part: string): string => `${text.slice(0, text.lastIndexOf(',') + 1)}${part}`

/** those of one group, one after the other */
export function grouped(choices: readonly Choice[]): readonly (readonly [group: string, choices: readonly Choice[]])[] {
  return [...Map.groupBy(choices, ({ group = '' }) => group)]
}
