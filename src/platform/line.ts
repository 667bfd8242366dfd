// A connection's line to the platform: equal reads become one call, each call waits for its turn, and what may well succeed
// the second time is tried again. One tenant's trouble stays on his line.
import type { Errand, Line, LineState, PlatformRead } from '../engine/port.ts'
import { Problem } from '../problem.ts'
import { type Attempt, type AttemptParts, createAttempt } from './attempt.ts'
import type { Hearsay } from './breaker.ts'
import { createBreakers } from './breakers.ts'
import { createBudgets } from './budget.ts'
import { createFlights } from './flights.ts'
import { createNeutral } from './neutral.ts'
import { createPersistence } from './persistence.ts'
import { createRefusals } from './refusals.ts'
import { createSigner } from './signer.ts'
import { isLate } from './time.ts'
import type { Credential, Tokens } from './token.ts'

/** `make` is called here, or what equal reads came to in another process is the answer */
export type Together = (name: string, errand: Errand, make: (errand: Errand) => Promise<unknown>) => Promise<unknown>

/** what comes from outside: the rest of an attempt's parts are the line's own */
export interface LineParts extends Omit<AttemptParts, 'owner' | 'breakers' | 'refusals' | 'signer'> {
  readonly credential: Credential
  readonly tokens: Tokens
  /** undefined where no other process reads through this connection, as far as this one can know */
  readonly together: Together | undefined
  readonly hearsay: Hearsay | undefined
}

/** what may be one call: `given` too, since it decides what a refusal says to whom */
function nameOf({ target, accept, given }: PlatformRead): string {
  let name = `${accept} ${target}`
  // no name of a parameter holds a space
  for (const [theirs, ours] of given) name += ` ${theirs} ${ours}`
  return name
}

/** of the platform, and not of a caller who left */
const isTheirs = (error: unknown, { signal }: Errand): error is Problem =>
  error instanceof Problem && error.row.type === 'upstream_error' && (!signal.aborted || isLate(signal))

/** when the platform last answered, and when it last failed */
function createLatest(now: () => number) {
  let latest: Pick<LineState, 'lastAnswerAt' | 'lastFailure'> = { lastAnswerAt: null, lastFailure: null }
  return {
    state: () => latest,
    async note(errand: Errand, asking: Promise<unknown>): Promise<unknown> {
      try {
        const document = await asking
        latest = { ...latest, lastAnswerAt: now() }
        return document
      } catch (error) {
        if (isTheirs(error, errand)) latest = { ...latest, lastFailure: { at: now(), code: error.code } }
        throw error
      }
    },
  }
}

/** attempts, and what is believed of the platform and of the key because of them */
function createAttempts(parts: LineParts) {
  const { connection, governor, hearsay, steady, observe } = parts
  const isPaused = () => governor.state().pausedSec > 0
  const doubt = createNeutral({ make: (read, errand) => attempt(read, errand, 1), steady, isPaused })
  const changed = (state: LineState['breaker']) => observe({ kind: 'breaker', connection, state })
  const breakers = createBreakers({ steady, changed, others: hearsay, doubt })
  const paused = (pauseSec: number) => observe({ kind: 'key_rejected', connection, pauseSec })
  const skewed = (offsetSec: number) => observe({ kind: 'clock_offset', connection, offsetSec })
  const signer = createSigner({ ...parts, paused, skewed })
  const refusals = createRefusals({ signer, steady, paused, doubt })
  const attempt: Attempt = createAttempt({ ...parts, owner: {}, breakers, refusals, signer })
  return { attempt, breakers, refusals }
}

export function createLine(parts: LineParts): Line {
  const { connection, governor, together, now, steady, observe } = parts
  const flights = createFlights(steady, () => observe({ kind: 'shared', connection }))
  const { attempt, breakers, refusals } = createAttempts(parts)
  const persist = createPersistence({ attempt, budgetOf: createBudgets(), steady })
  const latest = createLatest(now)
  const call = (read: PlatformRead, errand: Errand) => latest.note(errand, persist(read, errand))

  function fly(name: string, read: PlatformRead, errand: Errand): Promise<unknown> {
    if (!together || read.withheld) return call(read, errand)
    return together(name, errand, (all) => call(read, all))
  }

  function get(read: PlatformRead, errand: Errand): Promise<unknown> {
    if (errand.trial || errand.fresh) return call(read, errand)
    const name = nameOf(read)
    return flights.join(name, errand, (all) => fly(name, read, all))
  }

  return {
    share: flights.join,
    get,
    hour: () => governor.hour(),
    state: () => ({
      ...breakers.state(),
      ...governor.state(),
      keyRejected: refusals.isRejected(),
      ...latest.state(),
    }),
  }
}
