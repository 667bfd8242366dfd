// The budget of platform calls of a facade key: how many it may cause in an hour. Cached answers cost nothing; a shared call is
// paid by the key whose request began it.
import type { KeyAllowance, KeyRates } from '../../../base/auth/rate-limits.ts'
import type { FacadeKey } from '../keys/keys.ts'
import type { CallBudget } from '../platform/port.ts'
import { Problem } from '../problems.ts'

export interface KeyBudget extends CallBudget {
  /** as of the last call, or of the beginning of the request */
  readonly left: () => KeyAllowance
}

const spent = ({ resetSec }: KeyAllowance): Problem => new Problem('key_budget_spent', { retryAfterSec: resetSec })

/** undefined: the key has none */
export async function openBudget(
  { id, platformCallsPerHour: perWindow }: FacadeKey,
  budgets: KeyRates,
): Promise<KeyBudget | undefined> {
  if (perWindow === null) return undefined
  const rated = { id, perMinute: perWindow }
  const began = await budgets.look(rated)
  if (!began) return undefined
  let left = began
  return {
    left: () => left,
    check() {
      if (left.remaining === 0) throw spent(left)
    },
    async spend() {
      left = (await budgets.take(rated)) ?? left
      if (!left.allowed) throw spent(left)
    },
  }
}

/** as `whoami` and the state of a connection tell it */
export const shownBudget = (budget: KeyBudget | undefined) => {
  const left = budget?.left()
  return left ? { perHour: left.limit, remaining: left.remaining, resetSec: left.resetSec } : null
}
