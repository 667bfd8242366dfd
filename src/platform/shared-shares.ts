// Who has used how much of a platform key over all replicas: what is counted here, and what the others have told.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Use } from './ledger.ts'
import { createShares, type Shares, type UseElsewhere } from './shares.ts'

/** in common, facade keys have names that say nothing to whoever reads them */
const nameOf = (who: string): string => hash('sha256', who, 'base64url').slice(0, 22)
const mostNames = 2_000

/** what is not yet told is kept of so many facade keys */
const mostUntold = 1_000

export interface SharedShares extends Shares {
  /** calls that nobody else has been told of, by the name of a facade key: none where one has only asked */
  untold(): ReadonlyMap<string, number>
  untoldCalls(): number
  /** what all have used by now, with what was told; undefined: nobody knows */
  learn(told: ReadonlyMap<string, number>, uses: ReadonlyMap<string, Use> | undefined): void
}

export function createSharedShares(steady: () => number): SharedShares {
  let elsewhere: ReadonlyMap<string, UseElsewhere> = new Map()
  const shares = createShares(steady, () => elsewhere)
  const untold = new Map<string, number>()
  let calls = 0
  const names = new LRUCache<string, string>({ max: mostNames, memoMethod: nameOf })
  const known = (who: string): string => names.memo(who)

  function note(name: string, count: number) {
    calls += count
    untold.set(name, (untold.get(name) ?? 0) + count)
    for (const [eldest, lost] of untold) {
      if (untold.size <= mostUntold) break
      calls -= lost
      untold.delete(eldest)
    }
  }

  function paid(name: string, count: number) {
    const open = untold.get(name)
    if (open === undefined) return
    calls -= count
    if (open === count) untold.delete(name)
    else untold.set(name, open - count)
  }

  /** those of others are what is not ours */
  const useOf = ([name, { calls: all, idleMs }]: readonly [string, Use]) => {
    const ours = shares.used(name) - (untold.get(name) ?? 0)
    return [name, { calls: Math.max(0, all - ours), lastAt: steady() - idleMs }] as const
  }

  return {
    spend(who) {
      shares.spend(known(who))
      note(known(who), 1)
    },
    takeBack(who) {
      shares.takeBack(known(who))
      note(known(who), -1)
    },
    expect(who) {
      shares.expect(known(who))
      note(known(who), 0)
    },
    used: (who) => shares.used(known(who)),
    of: (who, limit) => shares.of(known(who), limit),
    waitMs: (who) => shares.waitMs(known(who)),
    untold: () => new Map(untold),
    untoldCalls: () => calls,
    learn(told, uses) {
      if (uses) for (const [name, count] of told) paid(name, count)
      elsewhere = new Map(Array.from(uses ?? [], useOf))
    },
  }
}
