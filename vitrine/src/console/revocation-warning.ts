// Tells the operator where not every replica could be notified of a revocation, and until when that matters.
import { warn } from '../../../base/console/parts/notices.tsx'
import { minuteOf } from '../../../base/console/format.ts'

/** `action`: what was done, such as `acme was removed`; returns whether there was something to warn of */
export function warnOfRevocation(action: string, { untoldUntil }: { readonly untoldUntil: string | null }): boolean {
  if (untoldUntil === null) return false
  const until = minuteOf(Date.parse(untoldUntil))
  warn(
    `${action}, but not every replica could be notified. A replica that reaches neither the store nor Redis may keep its old state until ${until}.`,
  )
  return true
}
