// How much of a platform key each facade key has used over all replicas: calls counted here plus those other replicas report.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { KeyUsage } from './shared-quota.ts'
import { LocalShare, type UseElsewhere } from '../platform/schedule/quota.ts'

/** in Redis facade keys appear only as hashes */
const nameOf = (who: string): string => hash('sha256', who, 'base64url').slice(0, 22)
const mostNames = 2_000
const mostUnsent = 1_000

export function createReplicaShare(steady: () => number) {
  let elsewhere: ReadonlyMap<string, UseElsewhere> = new Map()
  const own = new LocalShare(steady, () => elsewhere)
  let calls = 0
  const unsent = new LRUCache<string, number>({
    maxSize: mostUnsent,
    sizeCalculation: () => 1,
    dispose: (lost, _, reason) => void (reason === 'evict' && (calls -= lost)),
  })
  const names = new LRUCache<string, string>({ max: mostNames, memoMethod: nameOf })
  const hashed = (who: string): string => names.memo(who)

  function addUnsent(name: string, count: number) {
    calls += count
    unsent.set(name, (unsent.get(name) ?? 0) + count)
  }

  function markSent(name: string, count: number) {
    const open = unsent.get(name)
    if (open === undefined) return
    calls -= count
    if (open === count) unsent.delete(name)
    else unsent.set(name, open - count)
  }

  const useOf = ([name, { calls: all, idleMs }]: readonly [string, KeyUsage]) => {
    const ours = own.used(name) - (unsent.get(name) ?? 0)
    return [name, { calls: Math.max(0, all - ours), lastAt: steady() - idleMs }] as const
  }

  return {
    spend(who: string) {
      own.spend(hashed(who))
      addUnsent(hashed(who), 1)
    },
    takeBack(who: string) {
      own.takeBack(hashed(who))
      addUnsent(hashed(who), -1)
    },
    expect(who: string) {
      own.expect(hashed(who))
      addUnsent(hashed(who), 0)
    },
    used: (who: string) => own.used(hashed(who)),
    mayBeOver: (who: string, limit: number) => own.mayBeOver(hashed(who), limit),
    of: (who: string, limit: number) => own.of(hashed(who), limit),
    waitMs: (who: string) => own.waitMs(hashed(who)),
    /** calls not yet reported, by hash; 0 for a key that only asked */
    unsent: (): ReadonlyMap<string, number> => new Map(unsent),
    unsentCalls: () => calls,
    /** the sums of all replicas including `sent`; undefined: Redis did not answer */
    learn(sent: ReadonlyMap<string, number>, uses: ReadonlyMap<string, KeyUsage> | undefined) {
      if (uses) for (const [name, count] of sent) markSent(name, count)
      elsewhere = new Map(Array.from(uses ?? [], useOf))
    },
  }
}
