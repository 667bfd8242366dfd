// Turns at a platform key, as a worker has them: asked of the keeper. What can be read at once is the keeper's latest word,
// and what was learnt here since.
import { LRUCache } from 'lru-cache'
import type { Errand, LineState } from '../engine/port.ts'
import type { Governor, Turn } from '../platform/governor.ts'
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

/** the questions that are under way, by number */
function createQuestions(put: Put<ToKeeper>) {
  const waiting = new Map<number, Waiting>()
  let last = 0

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
      const done = () => {
        waiting.delete(id)
        signal.removeEventListener('abort', left)
      }
      waiting.set(id, { admit: () => (done(), ok(id)), refuse: (problem) => (done(), no(problem)) })
      errand.onJoin?.((other) => {
        if (waiting.has(id)) put(['join', id, other.who, other.patient, toMachine(errand.endsAt)])
      })
    })
  }
  return {
    ask,
    hearing: {
      turn: (id) => waiting.get(id)?.admit(),
      no: (id, code, extras) => waiting.get(id)?.refuse(new Problem(code, extras)),
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
    of: (key) => createAskedGovernor(key, pictureOf(key), put, questions.ask),
  }
}

function createAskedGovernor(key: string, picture: Picture, put: Put<ToKeeper>, ask: Ask): AskedGovernor {
  let held = 0

  function turnOf(id: number): Turn {
    let gone = false
    held++
    return {
      leave(isUsed) {
        if (gone) return
        gone = true
        held--
        put(['leave', id, isUsed], picture.state.waiting > 0 ? 'now' : 'later')
      },
    }
  }

  return {
    enter: async (errand) => turnOf(await ask(key, errand)),
    quota: {
      welcome: () => put(['welcome', key], 'later'),
      spend: (who) => put(['spend', key, who ?? null]),
      refused: (retryAfterSec, begunAt) => put(['refused', key, retryAfterSec ?? null, toMachine(begunAt) ?? 0]),
    },
    heard(rates, begunAt) {
      if (!rates.hour && !rates.minute) return
      learn(picture, rates, held)
      put(['heard', key, rates, toMachine(begunAt) ?? 0], 'later')
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
