// Turns at a platform key, as a worker has them: asked of the keeper. What can be read at once is the keeper's latest word,
// and what was learnt here since.
import { LRUCache } from 'lru-cache'
import type { Errand, LineState } from '../engine/port.ts'
import { type Governor, type Turn, turnOf } from '../platform/governor.ts'
import { endOf } from '../platform/time.ts'
import { Problem } from '../problem.ts'
import { toMachine } from './clock.ts'
import type { GovernorState, Hearing, Put, ToKeeper, ToWorker } from './messages.ts'

interface Waiting {
  readonly admit: () => void
  readonly refuse: (problem: Problem) => void
}

interface Picture {
  state: GovernorState
  /** when the platform key may ask again */
  pausedUntil: number
}

type Ask = (key: string, errand: Errand) => Promise<number>
type Again = (key: string, who: string | undefined, turn: number | null) => Promise<boolean>

/** the questions that are under way, by number */
function createQuestions(put: Put<ToKeeper>) {
  const waiting = new Map<number, Waiting>()
  let last = 0

  function take(id: number): Waiting | undefined {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }

  const again: Again = (key, who, turn) => {
    const id = ++last
    put(['spend', id, key, who ?? null, turn])
    return new Promise((ok) => waiting.set(id, { admit: () => ok(true), refuse: () => ok(false) }))
  }

  const ask: Ask = (key, errand) => {
    const { signal, who, patient, trial = false } = errand
    if (signal.aborted) return Promise.reject(endOf(signal))
    const id = ++last
    put(['enter', id, key, who, patient, toMachine(errand.endsAt), trial])
    return new Promise((ok, no) => {
      const left = () => {
        waiting.delete(id)
        // also where the turn is on its way already
        put(['leave', id, false])
        no(endOf(signal))
      }
      signal.addEventListener('abort', left)
      const done = () => signal.removeEventListener('abort', left)
      waiting.set(id, { admit: () => (done(), ok(id)), refuse: (problem) => (done(), no(problem)) })
      errand.onJoin?.((other) => {
        if (waiting.has(id)) put(['join', id, other.who, other.patient, toMachine(errand.endsAt)])
      })
    })
  }
  return {
    ...{ ask, again },
    hearing: {
      turn: (id) => take(id)?.admit(),
      no: (id, code, extras) => take(id)?.refuse(new Problem(code, extras)),
    } satisfies Hearing<ToWorker>,
  }
}

function learn(picture: Picture, rates: Parameters<Governor['heard']>[0], held: number) {
  const others = Math.max(picture.state.running, held) - 1
  const less = (window: LineState['hour']) => window && { ...window, remaining: Math.max(0, window.remaining - others) }
  const [hour, minute] = [less(rates.hour), less(rates.minute)]
  picture.state = { ...picture.state, ...(hour && { hour }), ...(minute && { minute }) }
}

/** as many as the platform's own */
const mostKeys = 20_000

/** nobody has a turn at once where it is another process that gives it */
export interface AskedGovernor extends Governor {
  enter(errand: Errand): Promise<Turn>
}

export interface AskedGovernors {
  of(key: string): AskedGovernor
  readonly hearing: Hearing<ToWorker>
}

export function createAskedGovernors(put: Put<ToKeeper>): AskedGovernors {
  const questions = createQuestions(put)
  const pictures = new LRUCache<string, Picture>({ max: mostKeys })

  function pictureOf(key: string): Picture {
    const picture = pictures.get(key) ?? { state: { running: 0, waiting: 0, pausedSec: 0 }, pausedUntil: 0 }
    pictures.set(key, picture)
    return picture
  }

  function see(key: string, state: GovernorState) {
    const picture = pictures.get(key)
    if (picture) Object.assign(picture, { state, pausedUntil: performance.now() + state.pausedSec * 1_000 })
  }

  return {
    hearing: { ...questions.hearing, state: see },
    of: (key) => createAskedGovernor(key, pictureOf(key), put, questions),
  }
}

type Questions = ReturnType<typeof createQuestions>

function createAskedGovernor(key: string, picture: Picture, put: Put<ToKeeper>, questions: Questions): AskedGovernor {
  let held = 0
  const ids = new WeakMap<Turn, number>()
  const idOf = (turn: Turn | undefined): number | null => (turn && ids.get(turn)) ?? null

  function askedTurn(id: number): Turn {
    held++
    const turn = turnOf((isUsed) => {
      held--
      put(['leave', id, isUsed], picture.state.waiting > 0 ? 'now' : 'later')
    })
    ids.set(turn, id)
    return turn
  }

  return {
    enter: async (errand) => askedTurn(await questions.ask(key, errand)),
    quota: {
      welcome: () => put(['welcome', key], 'later'),
      spend: (who, turn) => questions.again(key, who, idOf(turn)),
      refused: (retryAfterSec, begunAt) => put(['refused', key, retryAfterSec ?? null, toMachine(begunAt) ?? 0]),
    },
    heard(rates, begunAt, answered) {
      if (rates.hour || rates.minute) learn(picture, rates, held)
      const isRefusal = answered?.isRefusal ?? false
      put(['heard', key, rates, toMachine(begunAt) ?? 0, idOf(answered?.turn), isRefusal], 'later')
    },
    answered: (ms) => put(['answered', key, ms], 'later'),
    typicalMs: () => picture.state.typicalMs,
    hour: () => picture.state.hour,
    state() {
      const { typicalMs, ...state } = picture.state
      void typicalMs
      return { ...state, pausedSec: Math.max(0, Math.ceil((picture.pausedUntil - performance.now()) / 1_000)) }
    },
  }
}
