// Takes turns at a platform key that other replicas use, too: its turns and rows are a governor's, its quota is kept by a
// ledger. Where that is not heard, this replica goes on with its part of what the platform says is left.
import type { Errand } from '../engine/port.ts'
import {
  createGovernor,
  type Governor,
  type GovernorOptions,
  type LocalGovernor,
  type Turn,
  turnOf,
} from './governor.ts'
import type { Ledger } from './ledger.ts'
import type { Told } from './rate-header.ts'
import { createLearning } from './shared-learning.ts'
import { createSharedQuota, type SharedQuota } from './shared-quota.ts'
import { endOf } from './time.ts'

export interface SharedGovernorOptions extends Omit<GovernorOptions, 'most' | 'quota'> {
  /** calls at once over all replicas */
  readonly most: number
  /** with this one */
  readonly replicas: () => number
  readonly ledger: Ledger | undefined
}

/** how old what is shown may be before the next look shows it anew */
const shownMs = 1_000

/** calls at once of each replica */
export const partOf = (most: number, replicas: number): number => Math.max(1, Math.ceil(most / replicas))

export function createSharedGovernor({ most, replicas, steady, shed, ledger }: SharedGovernorOptions): Governor {
  const quota = createSharedQuota(steady, replicas)
  const local = createGovernor({ most: () => partOf(most, replicas()), steady, shed, quota })
  return ledger ? createLedgered(local, quota, ledger) : local
}

/** a call that the ledger knows by its id, or knew */
interface Reservation {
  id: string
  isHeard: boolean
}

let lastId = 0
const reservation = (): Reservation => ({ id: (++lastId).toString(36), isHeard: false })

function createReservations(ledger: Ledger) {
  const known = new WeakMap<Turn, Reservation>()
  return {
    of: (turn: Turn | undefined): Reservation | undefined => turn && known.get(turn),
    hold(turn: Turn, call: Reservation): Turn {
      const own = turnOf((isUsed) => {
        // before others ask: what it gives back may be theirs
        if (!isUsed) void ledger.release(call.id)
        else if (!call.isHeard) void ledger.ended(call.id)
        turn.leave(isUsed)
      })
      known.set(own, call)
      return own
    },
  }
}

function createLedgered(local: LocalGovernor, quota: SharedQuota, ledger: Ledger): Governor {
  const reservations = createReservations(ledger)
  const learning = createLearning({ local, quota, ledger })
  let said: Told | undefined

  function enterAlone(errand: Errand, isAgain: boolean): Turn | Promise<Turn> {
    learning.goAlone()
    const entered = local.enter(errand, isAgain)
    const own = (turn: Turn) => reservations.hold(turn, reservation())
    return entered instanceof Promise ? entered.then(own) : own(entered)
  }

  async function enter(errand: Errand): Promise<Turn> {
    const { who, patient, signal, trial = false } = errand
    for (let isAgain = false; ; isAgain = true) {
      if (!trial && learning.isOld() && quota.waitMs(who, patient) > 0) await learning.look()
      const turn = await local.enter(errand, isAgain)
      const call = reservation()
      const isGranted = await learning.reserve(call.id, trial)
      const own = reservations.hold(turn, call)
      if (isGranted && !signal.aborted) return own
      own.leave(false)
      if (signal.aborted) throw endOf(signal)
      if (isGranted === undefined) return enterAlone(errand, true)
    }
  }

  /** the repeat is a call of its own, of which the turn tells from now on */
  async function spendMore(who: string | undefined, first: Reservation): Promise<boolean> {
    const call = reservation()
    if ((await learning.reserve(call.id, who === undefined)) === false) return false
    if (!first.isHeard) void ledger.ended(first.id)
    Object.assign(first, call)
    quota.spend(who)
    return true
  }

  return {
    ...local,
    hour() {
      learning.refresh(shownMs)
      return local.hour() ?? said
    },
    state() {
      learning.refresh(shownMs)
      return local.state()
    },
    enter(errand) {
      learning.begin()
      return ledger.isUp() ? enter(errand) : enterAlone(errand, false)
    },
    quota: {
      welcome: () => local.quota.welcome(),
      spend(who, turn) {
        const call = reservations.of(turn)
        if (call && ledger.isUp()) return spendMore(who, call)
        learning.goAlone()
        return local.quota.spend(who)
      },
      refused(retryAfterSec, begunAt) {
        const alone = () => local.quota.refused(retryAfterSec, begunAt)
        if (ledger.isUp()) void learning.hear(ledger.rest(retryAfterSec), alone)
        else alone()
      },
    },
    heard(rates, begunAt, answered) {
      const call = reservations.of(answered?.turn)
      const alone = () => local.heard(rates, begunAt)
      said = rates.hour ?? said
      if (call && ledger.isUp()) {
        call.isHeard = true
        void learning.hear(ledger.heard(call.id, rates, answered?.isRefusal ?? false), alone)
      } else {
        learning.goAlone()
        alone()
      }
    },
  }
}
