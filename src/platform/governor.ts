// Takes turns at one platform key: so many calls at once, its quota kept to, and fair among the facade keys that wait.
import type { Errand, LineState } from '../engine/port.ts'
import { crowded, nextTurn } from './next-turn.ts'
import { createQuota, type Quota } from './quota.ts'
import type { Rates } from './rate-header.ts'
import { createRows, type Stand } from './rows.ts'

export interface Turn {
  /** `isUsed`: whether the platform was called in it */
  leave(isUsed: boolean): void
}

export interface Governor {
  /** waits for a turn, or rejects with a Problem; whoever gets one gives it back */
  enter(errand: Errand): Promise<Turn>
  readonly quota: Pick<Quota, 'refused' | 'welcome' | 'spend'>
  /** what an answer to a call that began then says */
  heard(rates: Rates, begunAt: number): void
  /** how long a call took that came to a document */
  answered(durationMs: number): void
  /** how long such calls take lately; undefined before there was one */
  typicalMs(): number | undefined
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

export function createGovernor({ most, steady, shed }: GovernorOptions): Governor {
  const quota = createQuota(steady)
  const rows = createRows(shed)
  let running = 0
  let patientRunning = 0
  let typicalMs: number | undefined
  let timer: NodeJS.Timeout | undefined

  const next = () =>
    nextTurn({
      // with nothing under way, whoever comes may try
      ...{ rows, quota, steady, typicalMs: running > 0 ? (typicalMs ?? 0) : 0 },
      mayPatient: patientRunning < Math.max(1, most - 1),
    })

  function pump() {
    clearTimeout(timer)
    while (running < (quota.isCareful() ? 1 : most)) {
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

  function begin({ who, patient }: Stand, payer: string | undefined) {
    running++
    if (patient) patientRunning++
    quota.spend(payer)
    rows.putLast(who)
  }

  function turnAt({ patient }: Stand, payer: string | undefined): Turn {
    let gone = false
    return {
      leave(isUsed) {
        if (gone) return
        gone = true
        running--
        if (patient) patientRunning--
        if (!isUsed) quota.takeBack(payer)
        pump()
      },
    }
  }

  /** nobody is let into a row whose end he will not live to see */
  function requireHope(errand: Errand) {
    if (typicalMs === undefined || running < most) return
    const waitMs = (rows.aheadOf(errand.who) * typicalMs) / most
    if (waitMs + typicalMs > errand.endsAt - steady()) throw crowded(waitMs)
  }

  return {
    quota,
    heard: (rates, begunAt) => quota.heard(rates, { running: Math.max(0, running - 1), begunAt }),
    answered: (ms) =>
      void (typicalMs = typicalMs === undefined ? ms : typicalMs + weightOf(ms, typicalMs) * (ms - typicalMs)),
    typicalMs: () => typicalMs,
    state: () => ({ ...quota.state(), running, waiting: rows.waiting() }),
    async enter(errand) {
      const { who, patient, trial } = errand
      if (trial) {
        // the operator wants to know, and takes nothing of anybody's share
        begin({ who, patient }, undefined)
        return turnAt({ who, patient }, undefined)
      }
      quota.expect(who)
      requireHope(errand)
      const at = await rows.wait(errand, pump)
      return turnAt(at, at.who)
    },
  }
}
