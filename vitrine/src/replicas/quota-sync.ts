// Keeps the quota of one replica in step with the shared quota: what it reserves, reports and reads, and when.
import type { LocalScheduler } from '../platform/schedule/scheduler.ts'
import type { SharedQuota, QuotaStanding } from './shared-quota.ts'
import type { ReplicaQuota } from './replica-quota.ts'

/** no caller waits on a standing that is older; while callers wait, it is read this often */
const freshMs = 250
/** how often usage is exchanged, and earlier once this part of the hour's quota is not reported */
const [exchangeMs, exchangePart] = [500, 0.01]

interface QuotaSyncParts {
  readonly local: Pick<LocalScheduler, 'pump' | 'state'>
  readonly quota: ReplicaQuota
  readonly sharedQuota: SharedQuota
}

/** per process: reads for display must not delay those for callers */
const mostDisplayReads = 64
let displayReads = 0

function createInterval(everyMs: number, isNeeded: () => boolean, act: () => void) {
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (isNeeded()) run()
    }, everyMs).unref()
  }
  return () => {
    if (!timer) run()
  }
}

export function createQuotaSync({ local, quota, sharedQuota }: QuotaSyncParts) {
  /** turns without a reservation yet */
  let pending = 0
  let reading: Promise<void> | undefined
  let isExchanging = false

  function goAlone() {
    sharedQuota.noteMissed()
    quota.goAlone()
  }

  function learn(standing: QuotaStanding | undefined) {
    if (standing) quota.learn(standing, pending)
    else goAlone()
    local.pump()
  }

  async function apply(said: Promise<QuotaStanding | undefined>, alone = () => {}) {
    const standing = await said
    learn(standing)
    if (!standing) alone()
  }

  const read = (): Promise<void> => (reading ??= apply(sharedQuota.read()).finally(() => (reading = undefined)))
  const isOld = (): boolean => quota.standingAgeMs() > freshMs
  const hasWaiting = (): boolean => local.state().waiting > 0

  async function exchangeUsage() {
    if (isExchanging || !sharedQuota.isUp()) return
    isExchanging = true
    const told = quota.shares.unsent()
    quota.shares.learn(told, await sharedQuota.exchangeUsage(told))
    isExchanging = false
  }

  function isMuch(): boolean {
    const limit = quota.hour()?.limit
    return limit !== undefined && quota.shares.unsentCalls() >= Math.max(1, limit * exchangePart)
  }

  const watch = createInterval(freshMs, hasWaiting, () => {
    if (hasWaiting() && isOld() && sharedQuota.isUp()) void read()
  })
  const exchange = createInterval(
    exchangeMs,
    () => quota.shares.unsent().size > 0 || hasWaiting(),
    () => void exchangeUsage(),
  )

  return {
    /** applies the answer to a report; `alone` runs where none came */
    apply,
    goAlone,
    /** whether the standing is too old to make a caller wait */
    isOld,
    read,
    refresh(oldestMs: number) {
      if (quota.standingAgeMs() <= oldestMs || displayReads >= mostDisplayReads || !sharedQuota.isUp()) return
      displayReads++
      void read().finally(() => displayReads--)
    },
    /** whether the call may be made; undefined: Redis did not answer */
    async reserve(id: string, isTrial: boolean): Promise<boolean | undefined> {
      pending++
      const standing = await sharedQuota.reserve(id, isTrial)
      pending--
      learn(standing)
      return standing?.granted
    },
    /** called with each request: keeps the standing fresh while any wait */
    begin() {
      watch()
      exchange()
      if (isMuch()) void exchangeUsage()
    },
  }
}
