// A caller's word as it may be repeated to him.
import { escapeUnits } from '../unseen.ts'

const shown = 40

/** short, and without what a terminal or a log could act on */
export const quote = (word: string): string => {
  const plain = word.replaceAll(/[^\x20-\x7e]/g, escapeUnits)
  return `"${plain.length > shown ? `${plain.slice(0, shown - 1)}…` : plain}"`
}
