// Who is at it now: how many calls of a platform key are under way, and whether there is room for one more.
import type { Quota } from './quota.ts'
import type { Stand } from './rows.ts'

/** with fewer turns, one that is kept free would be too many */
const leastToKeep = 3
/** how long a facade key that asked counts as one of several; and a call that is answered so soon does not hang */
const [companyMs, promptMs] = [600_000, 1_000]

/** whether several facade keys have asked lately */
function createCompany(steady: () => number) {
  let [last, mixedAt] = ['', Number.NEGATIVE_INFINITY]
  return {
    note: (who: string) => {
      if (last !== '' && who !== last) mixedAt = steady()
      last = who
    },
    isThere: (): boolean => steady() - mixedAt < companyMs,
  }
}

/** of one facade key, as long as any call of it is under way */
interface Own {
  calls: number
  /** when one of them last ended soon after it began */
  promptAt: number
}

export function createRunning(most: () => number, quota: Pick<Quota, 'isCareful'>, steady: () => number) {
  const company = createCompany(steady)
  const owns = new Map<string, Own>()
  const begun = new Map<Stand, number>()
  let patient = 0

  return {
    count: () => begun.size,
    expect: company.note,
    hasRoom: (): boolean => begun.size < (quota.isCareful() ? 1 : most()),
    hasRoomFor: (isPatient: boolean): boolean => !isPatient || patient < Math.max(1, most() - 1),
    /** Where several ask, the last turn is not for one whose calls are all under way: every one of them may hang. */
    isKeptFrom(who: string): boolean {
      if (begun.size !== most() - 1 || most() < leastToKeep || !company.isThere()) return false
      const own = owns.get(who)
      return own !== undefined && steady() - own.promptAt > promptMs
    },
    /** each turn by an object of its own */
    join(at: Stand) {
      begun.set(at, steady())
      if (at.patient) patient++
      const own = owns.get(at.who) ?? { calls: 0, promptAt: Number.NEGATIVE_INFINITY }
      own.calls++
      owns.set(at.who, own)
    },
    leave(at: Stand) {
      const begunAt = begun.get(at) ?? 0
      begun.delete(at)
      if (at.patient) patient--
      const own = owns.get(at.who)
      if (!own) return
      own.calls--
      if (steady() - begunAt <= promptMs) own.promptAt = steady()
      if (own.calls === 0) owns.delete(at.who)
    },
  }
}

export type Running = ReturnType<typeof createRunning>
