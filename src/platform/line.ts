// A connection's line to the platform: equal reads become one call, each call waits for its turn, and what may well succeed
// the second time is tried again. One tenant's trouble stays on his line.
import type { Errand, Line, LineState, PlatformRead } from '../engine/port.ts'
import { Problem } from '../problem.ts'
import { type AttemptParts, createAttempt } from './attempt.ts'
import { createBreaker } from './breaker.ts'
import { createBudget } from './budget.ts'
import { createFlights } from './flights.ts'
import { createPersistence } from './persistence.ts'
import { createSigner } from './signer.ts'
import { isLate } from './time.ts'
import type { Credential, Tokens } from './token.ts'

/** what comes from outside: the rest of an attempt's parts are the line's own */
export interface LineParts extends Omit<AttemptParts, 'owner' | 'breaker' | 'signer'> {
  readonly credential: Credential
  readonly tokens: Tokens
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

export function createLine(parts: LineParts): Line {
  const { connection, governor, now, steady, observe } = parts
  const breaker = createBreaker(steady, (state) => observe({ kind: 'breaker', connection, state }))
  const flights = createFlights(steady, () => observe({ kind: 'shared', connection }))
  const signer = createSigner({
    ...parts,
    paused: (pauseSec) => observe({ kind: 'key_rejected', connection, pauseSec }),
    skewed: (offsetSec) => observe({ kind: 'clock_offset', connection, offsetSec }),
  })
  const attempt = createAttempt({ ...parts, owner: {}, breaker, signer })
  const persist = createPersistence({ attempt, budget: createBudget(), steady })
  let lastAnswerAt: number | null = null
  let lastFailure: LineState['lastFailure'] = null

  async function call(read: PlatformRead, errand: Errand): Promise<unknown> {
    try {
      const document = await persist(read, errand)
      lastAnswerAt = now()
      return document
    } catch (error) {
      if (isTheirs(error, errand)) lastFailure = { at: now(), code: error.code }
      throw error
    }
  }

  return {
    share: flights.join,
    get: (read, errand) =>
      errand.trial || errand.fresh ? call(read, errand) : flights.join(nameOf(read), errand, (all) => call(read, all)),
    hour: () => governor.hour(),
    state: () => ({
      ...breaker.state(),
      ...governor.state(),
      keyRejected: signer.isRejected(),
      lastAnswerAt,
      lastFailure,
    }),
  }
}
