// A connection's line to the platform: equal reads become one call, each call waits for its turn, and what may well succeed
// the second time is tried again. One tenant's trouble stays on his line.
import type { Errand, Line, LineState, PlatformRead } from '../engine/port.ts'
import { Problem } from '../problem.ts'
import { type AttemptParts, createAttempt } from './attempt.ts'
import { createBreaker, type Hearsay } from './breaker.ts'
import { createBudget } from './budget.ts'
import { createFlights } from './flights.ts'
import { createPersistence } from './persistence.ts'
import { createSigner } from './signer.ts'
import { isLate } from './time.ts'
import type { Credential, Tokens } from './token.ts'

/** `make` is called here, or what equal reads came to in another process is the answer */
export type Together = (name: string, errand: Errand, make: (errand: Errand) => Promise<unknown>) => Promise<unknown>

/** what comes from outside: the rest of an attempt's parts are the line's own */
export interface LineParts extends Omit<AttemptParts, 'owner' | 'breaker' | 'signer'> {
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

export function createLine(parts: LineParts): Line {
  const { connection, governor, together, hearsay, now, steady, observe } = parts
  const breaker = createBreaker(steady, (state) => observe({ kind: 'breaker', connection, state }), hearsay)
  const flights = createFlights(steady, () => observe({ kind: 'shared', connection }))
  const signer = createSigner({
    ...parts,
    paused: (pauseSec) => observe({ kind: 'key_rejected', connection, pauseSec }),
    skewed: (offsetSec) => observe({ kind: 'clock_offset', connection, offsetSec }),
  })
  const attempt = createAttempt({ ...parts, owner: {}, breaker, signer })
  const persist = createPersistence({ attempt, budget: createBudget(), steady })
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
      ...breaker.state(),
      ...governor.state(),
      keyRejected: signer.isRejected(),
      ...latest.state(),
    }),
  }
}
