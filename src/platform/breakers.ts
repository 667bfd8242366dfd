// The breakers of one connection: one for each lane (a facade key and a kind of read), and one for all. A lane that fails is
// closed to itself. All are closed only if a neutral read fails too, so no caller can close the connection to the others.
import { LRUCache } from 'lru-cache'
import type { LineState } from '../engine/port.ts'
import { type Breaker, createBreaker, type Hearsay, mostInARow } from './breaker.ts'
import { neutralLane } from './neutral.ts'

/** a lane that is forgotten begins anew */
const mostLanes = 500

export interface Breakers {
  /** Throws where this lane, or the platform, is believed dead, and it is not yet time to try it again. True: this call is to find out. */
  admit(lane: string): boolean
  /** somebody answered, or nobody did */
  tell(lane: string, outcome: 'alive' | 'down'): void
  /** of the connection: of one lane only while nothing else is answered */
  state: Breaker['state']
}

interface BreakersParts {
  readonly steady: () => number
  readonly changed: (state: LineState['breaker']) => void
  readonly others: Hearsay | undefined
  /** several lanes fail, and nothing is answered: is the platform there? */
  readonly doubt: () => void
}

export function createBreakers({ steady, changed, others, doubt }: BreakersParts): Breakers {
  const lanes = new LRUCache<string, Breaker>({ max: mostLanes })
  /** the lane that opened last, unless another one was answered since */
  let failing: Breaker | undefined
  /** failures since the last answer, and their lanes: the first, and whether there are more */
  let [row, first, isSeveral] = [0, '', false]
  let shown: LineState['breaker'] = 'closed'
  const whole = createBreaker(steady, show)

  const standing = (): Breaker => (whole.state().breaker === 'closed' && failing ? failing : whole)

  function show() {
    const { breaker } = standing().state()
    if (breaker === shown) return
    shown = breaker
    changed(shown)
  }

  function openLane(name: string): Breaker {
    const own: Breaker = createBreaker(
      steady,
      (state) => {
        if (state === 'open') failing = own
        show()
      },
      others,
    )
    lanes.set(name, own)
    return own
  }

  function answered(own: Breaker | undefined) {
    row = 0
    isSeveral = false
    if (failing !== own) failing = undefined
    // it tells the others, too
    if (own) own.tell('alive')
    else others?.tell('alive')
    whole.tell('alive')
    show()
  }

  function failed(lane: string) {
    if (lane === neutralLane) {
      if (isSeveral && row >= mostInARow) whole.trip()
      return
    }
    if (row === 0) first = lane
    row++
    isSeveral ||= lane !== first
    ;(lanes.get(lane) ?? openLane(lane)).tell('down')
    if (isSeveral && row >= mostInARow) doubt()
  }

  return {
    admit(lane) {
      const own = lanes.get(lane)
      // whoever may not go anyway must not take the turn of the one call that is to find out
      own?.check()
      const isProbe = whole.admit()
      return own?.admit() === true || isProbe
    },
    tell: (lane, outcome) => (outcome === 'alive' ? answered(lanes.get(lane)) : failed(lane)),
    state: () => standing().state(),
  }
}
