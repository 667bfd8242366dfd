// What one worker asks of platform keys, put to the governors as if it were asked here.
import { Ending } from '../ending.ts'
import { type Errand, noCost } from '../engine/port.ts'
import type { Governor, Turn } from '../platform/governor.ts'
import { Problem } from '../problem.ts'
import { fromMachine } from './clock.ts'
import type { Hearing, ToKeeper } from './messages.ts'
import type { Listener, Telling } from './telling.ts'

interface Asked {
  readonly key: string
  readonly end: Ending
  readonly joined: ((other: Errand) => void)[]
  endsAt: number
  turn?: Turn
}

function errandOf(one: Asked, who: string, patient: boolean, trial: boolean): Errand {
  return {
    ...{ signal: one.end, who, patient, fresh: false, cost: noCost(), ...(trial && { trial }) },
    get endsAt() {
      return one.endsAt
    },
    onJoin: (listener) => void one.joined.push(listener),
  }
}

export function createTurns(governorOf: (key: string) => Governor, telling: Telling, own: Listener) {
  const asked = new Map<number, Asked>()
  const { put } = own

  const enter = async ({ key }: Asked, errand: Errand): Promise<Turn> => governorOf(key).enter(errand)
  const turnOf = (id: number | null): Turn | undefined => (id === null ? undefined : asked.get(id)?.turn)

  function granted(id: number, one: Asked, turn: Turn) {
    // it was given up in the very moment of its turn
    if (asked.get(id) !== one) return turn.leave(false)
    one.turn = turn
    put(['turn', id])
    telling.tellAlong(own)
  }

  function refused(id: number, one: Asked, error: unknown) {
    if (asked.get(id) !== one) return
    asked.delete(id)
    const { code, extras } = error instanceof Problem ? error : new Problem('internal_error')
    const { cause, ...rest } = extras
    put(['no', id, code, { ...rest, ...(typeof cause === 'string' && { cause }) }])
    telling.tell(own)
  }

  function release(id: number, isUsed: boolean) {
    const one = asked.get(id)
    if (!one) return
    asked.delete(id)
    if (one.turn) one.turn.leave(isUsed)
    else one.end.abort(undefined)
    telling.changed(one.key)
  }

  /** every word about a platform key changes what others believe of it */
  const about =
    <R extends unknown[]>(act: (governor: Governor, ...rest: R) => void) =>
    (key: string, ...rest: R) => {
      act(governorOf(key), ...rest)
      telling.changed(key)
    }

  async function spend(id: number, key: string, who: string | null, turn: number | null) {
    const isAllowed = (await governorOf(key).quota.spend(who ?? undefined, turnOf(turn))) ?? true
    put(isAllowed ? ['turn', id] : ['no', id, 'upstream_rate_limited', {}])
    telling.changed(key)
  }

  const hearing = {
    enter(id, key, who, patient, endsAt, trial) {
      own.known.add(key)
      const one: Asked = { key, end: new Ending(), joined: [], endsAt: fromMachine(endsAt) }
      asked.set(id, one)
      enter(one, errandOf(one, who, patient, trial)).then(
        (turn) => granted(id, one, turn),
        (error: unknown) => refused(id, one, error),
      )
      telling.changed(key)
    },
    join(id, who, patient, endsAt) {
      const one = asked.get(id)
      if (!one || one.turn) return
      one.endsAt = Math.max(one.endsAt, fromMachine(endsAt))
      const other = errandOf(one, who, patient, false)
      for (const joined of one.joined) joined(other)
    },
    leave: release,
    heard: about((governor, rates, begunAt, turn, isRefusal) => {
      const at = turnOf(turn)
      governor.heard(rates, fromMachine(begunAt), at && { turn: at, isRefusal })
    }),
    welcome: about((governor) => governor.quota.welcome()),
    answered: about((governor, ms) => governor.answered(ms)),
    spend: (...asking) => void spend(...asking),
    refused: about((governor, retryAfterSec, begunAt) =>
      governor.quota.refused(retryAfterSec ?? undefined, fromMachine(begunAt)),
    ),
  } satisfies Hearing<ToKeeper>
  // a call of a worker that died may have reached the platform
  return { hearing, close: () => [...asked.keys()].forEach((id) => release(id, true)) }
}
