// Takes turns at one platform key: so many calls at once, its quota kept to, and fair among the facade keys that wait.
import type { Errand, LineState, Window } from '../engine/port.ts'
import { crowded, nextTurn } from './next-turn.ts'
import { createQuota, type Quota } from './quota.ts'
import type { Rates } from './rate-header.ts'
import { createRows, type Stand } from './rows.ts'
import { createRunning } from './running.ts'

export interface Turn {
  /** `isUsed`: whether the platform was called in it */
  leave(isUsed: boolean): void
}

/** it is given back once, however often whoever has it says so */
export function turnOf(leave: Turn['leave']): Turn {
  let gone = false
  return {
    leave(isUsed) {
      if (gone) return
      gone = true
      leave(isUsed)
    },
  }
}

export interface Answered {
  readonly turn: Turn
  readonly isRefusal: boolean
}

export interface Governor {
  /** a turn, at once where nobody waits and there is room, or later, or a Problem; whoever gets one gives it back */
  enter(errand: Errand): Turn | Promise<Turn>
  readonly quota: {
    welcome(): void
    /** the platform answered 429 to a call that began then */
    refused(retryAfterSec: number | undefined, begunAt: number): void
    /** one more call is made in this turn; where that has to be asked, the answer is whether it may be */
    spend(who: string | undefined, turn?: Turn): undefined | Promise<boolean>
  }
  /** what an answer to a call that began then says */
  heard(rates: Rates, begunAt: number, call?: Answered): void
  /** how long a call took that came to a document */
  answered(durationMs: number): void
  /** how long such calls take lately; undefined before there was one */
  typicalMs(): number | undefined
  /** what is left of the platform's hour; undefined: it has not said */
  hour(): Window | undefined
  state(): Pick<LineState, 'hour' | 'minute' | 'pausedSec' | 'running' | 'waiting'>
}

export interface GovernorOptions {
  readonly most: number | (() => number)
  readonly quota?: Quota
  readonly steady: () => number
  /** told when somebody is turned away because too many wait */
  readonly shed: () => void
}

/** one whose quota others change, too */
export interface LocalGovernor extends Governor {
  /** `isAgain`: it had its turn, and goes before all others of its own */
  enter(errand: Errand, isAgain?: boolean): Turn | Promise<Turn>
  /** lets those go who may now */
  pump(): void
}

/** how much the latest call counts in what is typical: little if it took longer, since that may be a pause of ours */
const weightOf = (ms: number, typicalMs: number): number => (ms > typicalMs ? 0.05 : 0.3)

const always =
  (count: number): (() => number) =>
  () =>
    count

/** how long a call takes lately that comes to a document */
function createTypical() {
  let typicalMs: number | undefined
  return {
    ms: () => typicalMs,
    note: (ms: number) =>
      void (typicalMs = typicalMs === undefined ? ms : typicalMs + weightOf(ms, typicalMs) * (ms - typicalMs)),
  }
}

/** nobody has to be asked */
const spentHere = (quota: Quota): Governor['quota'] => ({
  ...quota,
  spend(who) {
    quota.spend(who)
    return undefined
  },
})

export function createGovernor(options: GovernorOptions): LocalGovernor {
  const { steady, shed, quota = createQuota(steady) } = options
  const most = typeof options.most === 'number' ? always(options.most) : options.most
  const rows = createRows(shed)
  const running = createRunning(most, quota, steady)
  const typical = createTypical()
  let timer: NodeJS.Timeout | undefined

  /** with nothing under way, whoever comes may try */
  const neededMs = (): number => (running.count() > 0 ? (typical.ms() ?? 0) : 0)
  const next = () => nextTurn({ rows, quota, running, steady, typicalMs: neededMs() })

  function pump() {
    clearTimeout(timer)
    while (rows.waiting() > 0 && running.hasRoom()) {
      const found = next()
      if (typeof found === 'number') {
        if (Number.isFinite(found)) timer = setTimeout(pump, found).unref()
        return
      }
      const [waiter, at] = found
      begin(at, at.who)
      waiter.admit(at)
    }
  }

  function begin(at: Stand, payer: string | undefined): Stand {
    running.join(at)
    quota.spend(payer)
    rows.putLast(at.who)
    return at
  }

  const turnAt = (at: Stand, payer: string | undefined): Turn =>
    turnOf((isUsed) => {
      running.leave(at)
      if (!isUsed) quota.takeBack(payer)
      pump()
    })

  /** nobody is before this one, and nothing is in the way */
  function isFree({ who, patient, endsAt, signal }: Errand): boolean {
    if (rows.waiting() > 0 || signal.aborted || !running.hasRoom() || !running.hasRoomFor(patient)) return false
    if (running.isKeptFrom(who)) return false
    const leftMs = endsAt - steady()
    return leftMs > 0 && leftMs >= neededMs() && quota.waitMs(who, patient) === 0
  }

  /** nobody is let in who will live to see the end of no row: those who wait together go with the first of them */
  function requireHope(errand: Errand) {
    const typicalMs = typical.ms()
    if (typicalMs === undefined || running.count() < most()) return
    let ahead = rows.aheadOf(errand.who)
    errand.onJoin?.(({ who }) => (ahead = Math.min(ahead, rows.aheadOf(who))))
    const waitMs = (ahead * typicalMs) / most()
    if (waitMs + typicalMs > errand.endsAt - steady()) throw crowded(waitMs)
  }

  return {
    quota: spentHere(quota),
    pump,
    heard: (rates, begunAt) => quota.heard(rates, { running: Math.max(0, running.count() - 1), begunAt }),
    answered: typical.note,
    typicalMs: typical.ms,
    hour: () => quota.hour(),
    state: () => ({ ...quota.state(), running: running.count(), waiting: rows.waiting() }),
    enter(errand, isAgain = false) {
      const { who, patient, trial } = errand
      // the operator wants to know, and takes nothing of anybody's share
      if (trial) return turnAt(begin({ who, patient }, undefined), undefined)
      quota.expect(who)
      running.expect(who)
      if (!isAgain) requireHope(errand)
      if (isFree(errand)) return turnAt(begin({ who, patient }, who), who)
      return rows.wait(errand, pump, isAgain).then((at) => turnAt(at, at.who))
    },
  }
}
