// Takes turns at one platform key: so many calls at once, its quota kept to, and fair among the facade keys that wait.
import type { Errand, LineState, Window } from '../engine/port.ts'
import { crowded, nextTurn } from './next-turn.ts'
import { createQuota, type Quota } from './quota.ts'
import type { Rates } from './rate-header.ts'
import { createRows, type Stand } from './rows.ts'

export interface Turn {
  /** `isUsed`: whether the platform was called in it */
  leave(isUsed: boolean): void
}

export interface Governor {
  /** a turn, at once where nobody waits and there is room, or later, or a Problem; whoever gets one gives it back */
  enter(errand: Errand): Turn | Promise<Turn>
  readonly quota: Pick<Quota, 'refused' | 'welcome' | 'spend'>
  /** what an answer to a call that began then says */
  heard(rates: Rates, begunAt: number): void
  /** how long a call took that came to a document */
  answered(durationMs: number): void
  /** how long such calls take lately; undefined before there was one */
  typicalMs(): number | undefined
  /** what is left of the platform's hour; undefined: it has not said */
  hour(): Window | undefined
  state(): Pick<LineState, 'hour' | 'minute' | 'pausedSec' | 'running' | 'waiting'>
}

export interface GovernorOptions {
  readonly most: number
  readonly steady: () => number
  /** told when somebody is turned away because too many wait */
  readonly shed: () => void
}

/** how much the latest call counts in what is typical: little if it took longer, since that may be a pause of ours */
const weightOf = (ms: number, typicalMs: number): number => (ms > typicalMs ? 0.05 : 0.3)

/** who is at it now */
function createRunning(most: number, quota: Quota) {
  let count = 0
  let patient = 0
  const mostPatient = Math.max(1, most - 1)
  return {
    count: () => count,
    hasRoom: (): boolean => count < (quota.isCareful() ? 1 : most),
    hasRoomFor: (isPatient: boolean): boolean => !isPatient || patient < mostPatient,
    join(isPatient: boolean) {
      count++
      if (isPatient) patient++
    },
    leave(isPatient: boolean) {
      count--
      if (isPatient) patient--
    },
  }
}

export function createGovernor({ most, steady, shed }: GovernorOptions): Governor {
  const quota = createQuota(steady)
  const rows = createRows(shed)
  const running = createRunning(most, quota)
  let typicalMs: number | undefined
  let timer: NodeJS.Timeout | undefined

  /** with nothing under way, whoever comes may try */
  const neededMs = (): number => (running.count() > 0 ? (typicalMs ?? 0) : 0)
  const next = () => nextTurn({ rows, quota, steady, typicalMs: neededMs(), mayPatient: running.hasRoomFor(true) })

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
    running.join(at.patient)
    quota.spend(payer)
    rows.putLast(at.who)
    return at
  }

  function turnAt({ patient }: Stand, payer: string | undefined): Turn {
    let gone = false
    return {
      leave(isUsed) {
        if (gone) return
        gone = true
        running.leave(patient)
        if (!isUsed) quota.takeBack(payer)
        pump()
      },
    }
  }

  /** nobody is before this one, and nothing is in the way */
  function isFree({ who, patient, endsAt, signal }: Errand): boolean {
    if (rows.waiting() > 0 || signal.aborted || !running.hasRoom() || !running.hasRoomFor(patient)) return false
    const leftMs = endsAt - steady()
    return leftMs > 0 && leftMs >= neededMs() && quota.waitMs(who, patient) === 0
  }

  /** nobody is let in who will live to see the end of no row: those who wait together go with the first of them */
  function requireHope(errand: Errand) {
    if (typicalMs === undefined || running.count() < most) return
    let ahead = rows.aheadOf(errand.who)
    errand.onJoin?.(({ who }) => (ahead = Math.min(ahead, rows.aheadOf(who))))
    const waitMs = (ahead * typicalMs) / most
    if (waitMs + typicalMs > errand.endsAt - steady()) throw crowded(waitMs)
  }

  return {
    quota,
    heard: (rates, begunAt) => quota.heard(rates, { running: Math.max(0, running.count() - 1), begunAt }),
    answered: (ms) =>
      void (typicalMs = typicalMs === undefined ? ms : typicalMs + weightOf(ms, typicalMs) * (ms - typicalMs)),
    typicalMs: () => typicalMs,
    hour: () => quota.hour(),
    state: () => ({ ...quota.state(), running: running.count(), waiting: rows.waiting() }),
    enter(errand) {
      const { who, patient, trial } = errand
      // the operator wants to know, and takes nothing of anybody's share
      if (trial) return turnAt(begin({ who, patient }, undefined), undefined)
      quota.expect(who)
      requireHope(errand)
      if (isFree(errand)) return turnAt(begin({ who, patient }, who), who)
      return rows.wait(errand, pump).then((at) => turnAt(at, at.who))
    },
  }
}
