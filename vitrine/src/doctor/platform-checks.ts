// Checks that the platform answers and that its clock agrees with ours, by one request without a token.
import type { Probed, Prober } from '../platform/call/probe.ts'
import { absurdMs, backSec, lifeSec } from '../platform/auth/signer.ts'
import { explainProxy } from '../platform/proxy/proxy-error.ts'
import type { Settings } from '../settings.ts'
import { explainFailure, explainForeign, isForeign, durationWords } from './platform-answers.ts'
import { fail, ok, skip, type Verdict, warn } from './finding.ts'

const cheapRead = { target: '/v1/apps?limit=1', accept: 'application/json' }

/** Without a token the platform refuses in its own form. */
const isPlatform = (probed: Probed): boolean =>
  probed.status !== undefined && probed.status >= 400 && probed.status < 500 && !isForeign(probed)

export const askWithoutToken = (prober: Prober, signal: AbortSignal): Promise<Probed> =>
  prober.knock({ ...cheapRead, signal })

/** fixes for connection errors with a known cause */
const fixes: readonly (readonly [RegExp, string])[] = [
  [
    /CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/,
    'Check the clock of this machine. If it is right, the certificate is expired or not yet valid: check what is in between.',
  ],
  [/ALTNAME_INVALID/, 'The certificate is for another name: check upstream.baseUrl and what is in between.'],
  [
    /ERR_SSL_|EPROTO/,
    'The server there does not speak TLS: check https and the port in upstream.baseUrl, and what is in between.',
  ],
  [
    /trusted/,
    'A proxy in between intercepts TLS, or this machine lacks the certificate authority: put its certificate into the file of upstream.caFile, or let the proxy pass this host untouched.',
  ],
  [/private address/, 'For a forwarder at a private address, set upstream.privateAddresses to true.'],
]

export function judgePlatform(probed: Probed, settings: Settings): Verdict {
  const at = settings['upstream.baseUrl']
  const host = new URL(at).host
  if (isPlatform(probed)) return ok(`${host} answers, in ${Math.round(probed.tookMs)} ms.`)
  const { status } = probed
  if (status === undefined) {
    const why = probed.cause ?? ''
    const cure =
      explainProxy(why)?.cure ??
      fixes.find(([pattern]) => pattern.test(why))?.[1] ??
      `Check whether this machine reaches ${host} (DNS, firewall, proxy), and whether upstream.baseUrl is right.`
    return fail(`${host} cannot be reached.`, { cause: explainFailure(probed), cure })
  }
  if (status >= 500 && !isForeign(probed))
    return fail(`${host} reports an error of its own.`, {
      cause: explainFailure(probed),
      cure: 'Wait, and check the status page of the platform.',
    })
  return fail(`The server at ${host} is not the platform.`, {
    cause: isForeign(probed)
      ? explainForeign(probed)
      : `without a token it answered ${status}, where the platform refuses`,
    cure: 'Check upstream.baseUrl, and whether a proxy or a sign-in page is in between.',
  })
}

/** warn above this difference; fail once it is this close to the limits of a token's dates */
const warnMs = 30_000
const [aheadMs, behindMs] = [backSec * 1_000 + warnMs, (lifeSec - backSec) * 1_000 - warnMs]

export function judgeClock({ aheadMs: theirs }: Probed, setClock: Prober['setClock']): Verdict {
  if (theirs === undefined) return { ...skip('the answer of the platform has no date'), stops: undefined }
  const apart = durationWords(theirs)
  if (Math.abs(theirs) <= warnMs) return ok(`It agrees with the platform's clock within ${apart}.`)
  // later checks date their tokens by the platform, as the service does
  setClock(theirs)
  const cause = `the platform's clock is ${apart} ${theirs > 0 ? 'ahead of' : 'behind'} the one of this machine`
  const meanwhile = ' Until then, once a token was refused, Vitrine dates its tokens by the clock of the platform.'
  const cure = `Set the clock of this machine by NTP.${Math.abs(theirs) < absurdMs ? meanwhile : ''}`
  const says = `This machine's clock is ${apart} ${theirs > 0 ? 'slow' : 'fast'}.`
  const isBeyond = theirs > behindMs || theirs < -aheadMs
  return isBeyond ? fail(says, { cause: `${cause}, so its tokens are refused`, cure }) : warn(says, { cause, cure })
}
