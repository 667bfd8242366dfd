// What one replica learns of a platform key from the ledger that all replicas ask, and when it asks for news by itself.
import type { LocalGovernor } from './governor.ts'
import type { Ledger, Standing } from './ledger.ts'
import type { SharedQuota } from './shared-quota.ts'

/** how old the ledger's word may be before somebody is held back by it, and how often those who wait look */
const lookMs = 250
/** how often replicas tell each other what facade keys have used, and sooner where it is such a part of the hour's calls */
const [tellMs, tellPart] = [500, 0.01]

export interface Learning {
  /** whether the call of this id may be made; undefined: nobody was heard */
  reserve(id: string, isTrial: boolean): Promise<boolean | undefined>
  /** what is said to the ledger, and nobody waits for; `alone` where it was not heard */
  hear(said: Promise<Standing | undefined>, alone?: () => void): Promise<void>
  /** a call is made, or may be, that the ledger does not know of */
  goAlone(): void
  /** somebody asks: now, and as long as anybody does, what is known of others is kept fresh */
  begin(): void
  /** whether what is known is too old to hold somebody back */
  isOld(): boolean
  look(): Promise<void>
  /** asks for news where what is known is so old: whoever looks the next time sees it */
  refresh(oldestMs: number): void
}

interface LearningParts {
  readonly local: Pick<LocalGovernor, 'pump' | 'state'>
  readonly quota: SharedQuota
  readonly ledger: Ledger
}

/** of one process: many keys that are looked at together must not hold up those who wait for an answer */
const mostLooks = 64
let looks = 0

/** does it now, and again after so long while it is still needed */
function createRounds(everyMs: number, isNeeded: () => boolean, act: () => void) {
  let timer: NodeJS.Timeout | undefined
  const round = () => {
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (isNeeded()) round()
    }, everyMs).unref()
  }
  return () => {
    if (!timer) round()
  }
}

export function createLearning({ local, quota, ledger }: LearningParts): Learning {
  /** turns whose calls are not yet asked for */
  let pending = 0
  let looking: Promise<void> | undefined
  let isTelling = false

  function goAlone() {
    ledger.missed()
    quota.goAlone()
  }

  function learn(standing: Standing | undefined) {
    if (standing) quota.learn(standing, pending)
    else goAlone()
    local.pump()
  }

  async function hear(said: Promise<Standing | undefined>, alone = () => {}) {
    const standing = await said
    learn(standing)
    if (!standing) alone()
  }

  const look = (): Promise<void> => (looking ??= hear(ledger.look()).finally(() => (looking = undefined)))
  const isOld = (): boolean => quota.wordAgeMs() > lookMs
  const hasWaiting = (): boolean => local.state().waiting > 0

  async function tellUses() {
    if (isTelling || !ledger.isUp()) return
    isTelling = true
    const told = quota.shares.untold()
    quota.shares.learn(told, await ledger.uses(told))
    isTelling = false
  }

  function isMuch(): boolean {
    const limit = quota.hour()?.limit
    return limit !== undefined && quota.shares.untoldCalls() >= Math.max(1, limit * tellPart)
  }

  const watch = createRounds(lookMs, hasWaiting, () => {
    if (hasWaiting() && isOld() && ledger.isUp()) void look()
  })
  const exchange = createRounds(
    tellMs,
    () => quota.shares.untold().size > 0 || hasWaiting(),
    () => void tellUses(),
  )

  return {
    ...{ hear, goAlone, isOld, look },
    refresh(oldestMs) {
      if (quota.wordAgeMs() <= oldestMs || looks >= mostLooks || !ledger.isUp()) return
      looks++
      void look().finally(() => looks--)
    },
    async reserve(id, isTrial) {
      pending++
      const standing = await ledger.reserve(id, isTrial)
      pending--
      learn(standing)
      return standing?.granted
    },
    begin() {
      watch()
      exchange()
      if (isMuch()) void tellUses()
    },
  }
}
