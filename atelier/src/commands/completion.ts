// `atelier completion <shell>` prints a script; `atelier complete` answers it with the candidates at the cursor.
import { candidatesAt, type Listed, printCandidates } from '../../../base/cli/candidates.ts'
import { completionScript, shells } from '../../../base/cli/completion.ts'
import { didYouMean, nearestOf } from '../../../base/core/nearest.ts'
import { product } from '../product.ts'
import { UsageError } from './call/exits.ts'

export function completion(shell: string) {
  const script = completionScript(shell, product.name)
  if (script === undefined) {
    const hint = didYouMean(nearestOf(shell, shells))
    throw new UsageError(`completion knows ${shells.join(', ')}.${hint} For example: source <(atelier completion bash)`)
  }
  process.stdout.write(script)
}

export function complete(words: readonly string[], program: Listed) {
  printCandidates(candidatesAt(words, program))
}
