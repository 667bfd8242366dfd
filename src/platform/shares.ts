// Who has used how much of a platform key within the hour, so that one facade key cannot use up what others count on.
import { createRolling, type Rolling } from './rolling.ts'

const hourMs = 3_600_000
/** a facade key that has been silent for so long waits for nothing, and nothing is kept for it */
const activeMs = 600_000
const mostKeys = 1_000
/** how long a reckoning over all of them is good for */
const reckonedMs = 100
/** among so many, one more makes nobody's share much smaller, and may be counted so much later */
const [crowd, crowdedMs] = [100, 25]

interface Use {
  readonly calls: Rolling
  lastAt: number
}

export interface Share {
  /** calls of this facade key within the hour */
  readonly own: number
  /** facade keys that are active, this one included */
  readonly active: number
  /** what the other active ones may still ask of their equal shares */
  readonly kept: number
}

export interface Shares {
  spend(who: string): void
  takeBack(who: string): void
  /** calls of this one here within the hour */
  used(who: string): number
  /** that this one is waiting for a turn */
  expect(who: string): void
  of(who: string, limit: number): Share
  /** milliseconds until the oldest call of this one no longer counts; undefined where it has made none */
  waitMs(who: string): number | undefined
}

/** what is known of a facade key from elsewhere */
export interface UseElsewhere {
  readonly calls: number
  readonly lastAt: number
}

interface Reckoning {
  readonly at: number
  readonly limit: number
  /** facade keys, and what each may still ask of its share */
  readonly active: Map<string, number>
  /** what all of them together may still ask of their shares */
  readonly unused: number
}

const nowhere: ReadonlyMap<string, UseElsewhere> = new Map()

export function createShares(steady: () => number, elsewhere = (): typeof nowhere => nowhere): Shares {
  const uses = new Map<string, Use>()
  let last: Reckoning | undefined

  function use(who: string): Use {
    const found = uses.get(who) ?? { calls: createRolling(hourMs, 60, steady), lastAt: 0 }
    found.lastAt = steady()
    uses.delete(who)
    uses.set(who, found)
    for (const [eldest] of uses) {
      if (uses.size <= mostKeys) break
      uses.delete(eldest)
    }
    return found
  }

  const used = (who: string): number => uses.get(who)?.calls.total() ?? 0
  const ownOf = (who: string): number => used(who) + (elsewhere().get(who)?.calls ?? 0)

  function reckon(limit: number): Reckoning {
    const now = steady()
    const isActive = ({ lastAt }: UseElsewhere | Use): boolean => lastAt > now - activeMs
    const names = [...uses, ...elsewhere()].filter(([, use]) => isActive(use)).map(([name]) => name)
    const different = new Set(names)
    const share = limit / Math.max(1, different.size)
    const active = new Map([...different].map((name) => [name, Math.max(0, share - ownOf(name))]))
    return { at: now, limit, active, unused: [...active.values()].reduce((sum, one) => sum + one, 0) }
  }

  /** a newcomer makes everybody's share smaller at once; in a crowd that costs 180 us, and is done for several of them */
  function join({ at, limit, active }: Reckoning, who: string) {
    if (active.size < crowd || steady() - at > crowdedMs) last = undefined
    else active.set(who, limit / (active.size + 1))
  }

  function expect(who: string) {
    if (last && !last.active.has(who)) join(last, who)
    use(who)
  }

  return {
    spend: (who) => use(who).calls.add(),
    takeBack: (who) => void uses.get(who)?.calls.takeBack(),
    ...{ used, expect },
    of(who, limit) {
      if (!uses.has(who)) expect(who)
      if (!last || last.limit !== limit || steady() - last.at > reckonedMs) last = reckon(limit)
      const { active, unused } = last
      return { own: ownOf(who), active: Math.max(1, active.size), kept: unused - (active.get(who) ?? 0) }
    },
    waitMs: (who) => uses.get(who)?.calls.nextAgeMs(),
  }
}
