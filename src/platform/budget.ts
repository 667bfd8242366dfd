// How often calls may be repeated: successes pay for it, so that an outage is not answered with more load. Each facade key has
// its own savings: the failures of one must not cost another one its repeats.
import { LRUCache } from 'lru-cache'

/** what one success pays, and what can be saved up; a repeat costs 1 */
const [paid, most] = [0.15, 10]
/** a facade key starts with a little */
const start = 3

export interface Budget {
  earn(): void
  /** false where nothing is left for a repeat */
  spend(): boolean
}

export function createBudget(): Budget {
  let left = start
  return {
    earn: () => void (left = Math.min(most, left + paid)),
    spend() {
      if (left < 1) return false
      left--
      return true
    },
  }
}

const mostBudgets = 500

/** by facade key */
export function createBudgets(): (who: string) => Budget {
  const budgets = new LRUCache<string, Budget>({ max: mostBudgets })
  return (who) => {
    const found = budgets.get(who) ?? createBudget()
    budgets.set(who, found)
    return found
  }
}
