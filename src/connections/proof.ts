// Proves a signing key: one cheap read of the platform with it, and what came of that.
import type { BoundGet } from '../engine/port.ts'
import { Problem, type ProblemCode } from '../problem.ts'

export interface Proof {
  /** the platform answered 200 */
  readonly ok: boolean
  /** what it was instead */
  readonly code: ProblemCode | null
  readonly message: string
}

const read = { target: '/v1/apps?fields%5Bapps%5D=bundleId&limit=1', accept: 'application/json', given: new Map() }
const patienceMs = 15_000

/** Never rejects: that the platform cannot be asked is an outcome too. */
export async function prove(get: BoundGet): Promise<Proof> {
  try {
    const cost = { calls: 0, retries: 0, shared: 0, waitedMs: 0, platformMs: 0 }
    const time = { signal: AbortSignal.timeout(patienceMs), endsAt: performance.now() + patienceMs }
    await get(read, { ...time, who: 'operator', patient: false, fresh: true, trial: true, cost })
    return { ok: true, code: null, message: 'The platform accepts the key, and the key may list apps.' }
  } catch (error) {
    const { code, message } = error instanceof Problem ? error : new Problem('internal_error')
    return { ok: false, code, message }
  }
}

/** The platform knew the key, and only what it may read is in question: a role, or an agreement that is not accepted. */
const isKnown = ({ ok, code }: Proof): boolean =>
  ok || code === 'upstream_forbidden' || code === 'upstream_agreement_missing'

/** Refuses a key that the platform does not know, and one that could not be tried. */
export function requireKnown(proof: Proof) {
  if (isKnown(proof) || proof.code === null) return
  if (proof.code === 'upstream_key_rejected') throw new Problem('credential_refused')
  throw new Problem(proof.code, {
    message: `The key could not be tried, so nothing was stored. ${proof.message} To store it untried, say --no-check, or "check": false.`,
  })
}
