// `vitrine completion <shell>`: prints the script; complete.ts answers it.
import { completionScript, shells } from '../../../base/cli/completion.ts'
import { didYouMean, nearestOf } from '../../../base/core/nearest.ts'
import { product } from '../product.ts'
import { UsageError } from './read/exits.ts'

export function completion(shell: string) {
  const script = completionScript(shell, product.name)
  if (script === undefined) {
    const hint = didYouMean(nearestOf(shell, shells))
    throw new UsageError(`completion knows ${shells.join(', ')}.${hint} For example: source <(vitrine completion bash)`)
  }
  process.stdout.write(script)
}
