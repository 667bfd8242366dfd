// A word of the caller, as a message may repeat it.
import { escapeUnits } from './control-characters.ts'

const shown = 40

export const quote = (word: string): string => {
  const plain = word.replaceAll(/[^\x20-\x7e]/g, escapeUnits)
  return `"${plain.length > shown ? `${plain.slice(0, shown - 1)}…` : plain}"`
}
