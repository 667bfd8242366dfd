// Checks a signing key with one cheap read of the platform.
import { idHint, oddIds } from '../connection-settings.ts'
import type { Credential } from '../platform/auth/signer.ts'
import type { BoundGet } from '../platform/port.ts'
import { Problem, type ProblemCode } from '../problems.ts'

export interface KeyCheck {
  readonly ok: boolean
  readonly code: ProblemCode | null
  readonly message: string
}

const read = { target: '/v1/apps?fields%5Bapps%5D=bundleId&limit=1', accept: 'application/json', given: new Map() }
const timeoutMs = 15_000

/** Never rejects: an unreachable platform is a result too. */
export async function checkKey(get: BoundGet): Promise<KeyCheck> {
  try {
    const cost = { calls: 0, retries: 0, shared: 0, waitedMs: 0, platformMs: 0 }
    const time = { signal: AbortSignal.timeout(timeoutMs), endsAt: performance.now() + timeoutMs }
    await get(read, { ...time, who: 'operator', patient: false, fresh: true, trial: true, cost })
    return { ok: true, code: null, message: 'The platform accepts the key, and the key may list apps.' }
  } catch (error) {
    const { code, message } = error instanceof Problem ? error : new Problem('internal_error')
    return { ok: false, code, message }
  }
}

/** The key is valid; only a role or an agreement is missing. */
const isKnownToPlatform = ({ ok, code }: KeyCheck): boolean =>
  ok || code === 'upstream_forbidden' || code === 'upstream_agreement_missing'

function refusedCredential(credential: Pick<Credential, 'keyId' | 'issuerId'>): Problem {
  const { message } = new Problem('credential_refused')
  return new Problem('credential_refused', { message: [message, ...oddIds(credential).map(idHint)].join(' ') })
}

/** Refuses a key that the platform does not know, or that could not be checked. */
export function requireKnownKey(proof: KeyCheck, credential: Credential) {
  if (isKnownToPlatform(proof) || proof.code === null) return
  if (proof.code === 'upstream_key_rejected') throw refusedCredential(credential)
  throw new Problem(proof.code, {
    message: `The key could not be tried, so nothing was stored. ${proof.message} To store it untried, say --no-check, or "check": false.`,
  })
}
