// Whether the platform is there at all, and whether its clock is ours: asked once, without a token, for all connections.
import type { Probed, Prober } from '../platform/probe.ts'
import { absurdMs } from '../platform/signer.ts'
import { backSec, lifeSec } from '../platform/token.ts'
import type { Settings } from '../settings.ts'
import { causeOf, foreignCause, isForeign, timeOf } from './answers.ts'
import { fail, ok, skip, type Verdict, warn } from './finding.ts'

const door = { target: '/v1/apps?limit=1', accept: 'application/json' }

/** that it asks for a token is the best of answers; any other refusal in its form is one of the platform, too */
const isPlatform = (heard: Probed): boolean =>
  heard.status !== undefined && heard.status >= 400 && heard.status < 500 && !isForeign(heard)

export async function knockAt(prober: Prober, signal: AbortSignal): Promise<Probed> {
  return prober.knock({ ...door, signal })
}

/** what an error of the connection most likely means, where there is more to say than that nobody was reached */
const cures: readonly (readonly [RegExp, string])[] = [
  [
    /CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/,
    'See whether the clock of this machine is right. If it is, the time of the certificate that is shown is not: see what stands in between.',
  ],
  [
    /ALTNAME_INVALID/,
    'The certificate that is shown is of another name: see whether upstream.baseUrl is right, and what stands in between.',
  ],
  [
    /ERR_SSL_|EPROTO/,
    'What answers there does not speak TLS as it should: see whether https and the port of upstream.baseUrl are right, and what stands in between.',
  ],
  [
    /trusted/,
    'Something between here and the platform breaks TLS, or this machine lacks the authority: see to it, or set NODE_EXTRA_CA_CERTS.',
  ],
  [/private address/, 'A forwarder of your own needs upstream.privateAddresses: true.'],
]

export function judgePlatform(heard: Probed, settings: Settings): Verdict {
  const at = settings['upstream.baseUrl']
  const host = new URL(at).host
  if (isPlatform(heard)) return ok(`${host} answers, in ${Math.round(heard.tookMs)} ms.`)
  const { status } = heard
  if (status === undefined) {
    const why = heard.cause ?? ''
    const cure =
      cures.find(([pattern]) => pattern.test(why))?.[1] ??
      `See whether this machine reaches ${host}: name service, firewall, proxy; and whether upstream.baseUrl is right.`
    return fail(`${host} cannot be reached.`, { cause: causeOf(heard), cure })
  }
  if (status >= 500 && !isForeign(heard))
    return fail(`${host} is in trouble.`, {
      cause: causeOf(heard),
      cure: 'Wait, and look at the status page of the platform.',
    })
  return fail(`What answers at ${host} is not the platform.`, {
    cause: isForeign(heard) ? foreignCause(heard) : `without a token it answered ${status}, where the platform refuses`,
    cure: 'See whether upstream.baseUrl is right, and whether a proxy or a sign-in page stands in between.',
  })
}

/** what is further off than this should be seen to; what is that much nearer to a token's bounds may be beyond them */
const warnMs = 30_000
const [aheadMs, behindMs] = [backSec * 1_000 + warnMs, (lifeSec - backSec) * 1_000 - warnMs]

export function judgeClock({ aheadMs: theirs }: Probed, setClock: Prober['setClock']): Verdict {
  if (theirs === undefined) return { ...skip('the answer of the platform has no date'), stops: undefined }
  const apart = timeOf(theirs)
  if (Math.abs(theirs) <= warnMs) return ok(`It agrees with the platform's, within ${apart}.`)
  // what comes after shall find its own trouble, as the service would
  setClock(theirs)
  const cause = `the platform's clock is ${apart} ${theirs > 0 ? 'ahead of' : 'behind'} the one of this machine`
  const meanwhile = ' Until then Vitrine dates its tokens by the platform, once one was refused.'
  const cure = `Set the clock of this machine by NTP.${Math.abs(theirs) < absurdMs ? meanwhile : ''}`
  const says = `This machine's clock is ${apart} ${theirs > 0 ? 'slow' : 'fast'}.`
  const isBeyond = theirs > behindMs || theirs < -aheadMs
  return isBeyond
    ? fail(says, { cause: `${cause}, and a token so dated is refused`, cure })
    : warn(says, { cause, cure })
}
