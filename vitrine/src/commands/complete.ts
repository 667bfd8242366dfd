// `vitrine complete`: the candidates at the cursor.
import { candidatesAt, type Listed, printCandidates } from '../../../base/cli/candidates.ts'
import { routes } from '../catalogue/index.ts'
import { candidatesFor } from './read/candidates.ts'

/** `words`: the words after the program's name; the last one is at the cursor and may be empty */
export function complete(words: readonly string[], program: Listed) {
  const own = (command: string, rest: readonly string[]) =>
    command === 'read' ? candidatesFor(rest, routes) : undefined
  printCandidates(candidatesAt(words, program, own))
}
