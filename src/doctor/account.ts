// One connection at the platform: whether its token is taken, whether agreements and quota let it read, and which groups of
// routes it may. One call for each, and one more where the platform may have had a whim.
import type { Group } from '../catalogue/define.ts'
import type { Probe, Probes } from '../catalogue/probes.ts'
import type { Credential } from '../connections/credential.ts'
import { isObject } from '../engine/port.ts'
import type { Probed, Prober } from '../platform/probe.ts'
import { causeOf, foreignCause, isForeign, isWhim } from './answers.ts'
import { fail, ok, skip, type Verdict, warn } from './finding.ts'
import { judgeGroup, sign } from './group-check.ts'
import type { Keyed } from './key-file-check.ts'
import type { Round } from './round.ts'

interface Account extends Pick<Keyed, 'named'> {
  readonly credential: Credential
  readonly prober: Prober
}

/** undefined: it needs an app, and none is known */
export function targetOf({ read, query }: Probe, appId: string | undefined): string | undefined {
  if (read.includes('{appId}') && appId === undefined) return undefined
  return `${read.replace('{appId}', encodeURIComponent(appId ?? ''))}?${new URLSearchParams(query).toString()}`
}

async function ask(
  { prober, credential }: Account,
  target: string,
  probe: Probe,
  signal: AbortSignal,
): Promise<Probed> {
  const read = { target, accept: probe.mediaType ?? 'application/json', signal }
  const first = await prober.ask(read, credential)
  return isWhim(first) ? prober.ask(read, credential) : first
}

const issuerForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const wants = 'Compare keyId and issuerId with App Store Connect, under Users and Access, Integrations'

/** what is most likely wrong with a token that is refused: the platform does not say */
async function diagnose({ credential, named, prober }: Account, target: string, signal: AbortSignal): Promise<Verdict> {
  const { keyId, issuerId, key } = credential
  const says = 'The platform refuses the token.'
  if (named !== undefined && named !== keyId)
    return fail(says, {
      cause: `keyId is ${keyId}, and the key file is named after ${named}`,
      cure: `Set keyId to ${named}, or privateKeyFile to the key of ${keyId}.`,
    })
  if (issuerId === undefined)
    return fail(says, {
      cause: `the individual key ${keyId} is unknown there, or revoked; or it is a team key, which needs its issuerId`,
      cure: `${wants}: a team key has an issuer id above the list of keys. If it is not listed as active, make a new one.`,
    })
  if (!issuerForm.test(issuerId))
    return fail(says, {
      cause: "issuerId is none: the platform's are UUIDs",
      cure: `${wants}: it stands above the list of keys.`,
    })
  // a key of one person, with an issuer that it does not have
  const read = { target, accept: 'application/json', signal }
  const alone = await prober.ask(read, { keyId, key })
  if (alone.status !== undefined && alone.status !== 401)
    return fail(says, {
      cause: `${keyId} is an individual key, which has no issuer`,
      cure: 'Remove issuerId from the connection.',
    })
  return fail(says, {
    cause: `the key ${keyId} is unknown there or revoked, or ${issuerId} is not its issuer, or the file is that of another key`,
    cure: `${wants}. If the key is not listed as active, make a new one and store it here.`,
  })
}

async function judgeToken(first: Probed, account: Account, target: string, signal: AbortSignal): Promise<Verdict> {
  if (first.status === 401) return diagnose(account, target, signal)
  const isAnswer = first.status !== undefined && first.status < 500 && first.code !== 'upstream_malformed'
  if (isAnswer && !isForeign(first)) return ok(`The platform takes the token of ${account.credential.keyId}.`)
  return fail('The platform did not answer the token.', {
    cause: isForeign(first) ? foreignCause(first) : causeOf(first),
    cure: 'Try it again; if it stays so, look at the status page of the platform, and at what stands in between.',
  })
}

function judgeAgreements({ code }: Probed): Verdict {
  if (code === 'upstream_agreement_missing')
    return fail('An agreement is missing or has expired.', { cause: 'the platform says so', cure: sign })
  // whether the reads would be allowed is not known, and they are not tried either
  if (code === 'upstream_rate_limited') return { ...skip('the quota is spent'), stops: undefined }
  return ok('None is missing.')
}

const low = 0.1

function judgeQuota({ code, rates, retryAfterSec }: Probed): Verdict {
  const windows = Object.entries(rates).map(([name, told]) => ({ name, ...told }))
  const says = windows
    .map(({ name, remaining, limit }) => `${remaining} of ${limit} requests of the ${name}`)
    .join(', ')
  if (code === 'upstream_rate_limited')
    return fail('The quota of the key is spent.', {
      cause: 'the platform answered 429',
      cure: `Wait${retryAfterSec === undefined ? ' up to an hour' : ` ${retryAfterSec} seconds`}, and find out who else uses this key: one of its own for Vitrine is best.`,
    })
  if (windows.length === 0) return { ...skip('the platform says nothing of the quota here'), stops: undefined }
  if (windows.every(({ remaining, limit }) => remaining >= low * limit)) return ok(`${says} are left.`)
  return warn('Little is left of the quota of the key.', {
    cause: `${says} are left`,
    cure: 'Find out who else uses this key, give Vitrine one of its own, and let it remember answers (cacheSeconds).',
  })
}

/** of the first app that the key can see */
function appIdOf({ document }: Probed): string | undefined {
  const [app] = isObject(document) && Array.isArray(document['data']) ? (document['data'] as unknown[]) : []
  const id = isObject(app) ? app['id'] : undefined
  return typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : undefined
}

async function lookAtGroup(group: Group, { probe, first, account, signal }: Looking): Promise<Verdict> {
  if (!probe) return skip('no cheap read of it is known')
  const target = targetOf(probe, appIdOf(first))
  if (target !== undefined)
    return judgeGroup({ group, probe, credential: account.credential }, await ask(account, target, probe, signal))
  return skip(first.code === undefined ? 'the account has no apps' : 'no app can be listed')
}

interface Looking {
  readonly probe: Probe | undefined
  readonly first: Probed
  readonly account: Account
  readonly signal: AbortSignal
}

export interface Rounding {
  readonly round: Round
  readonly account: Account | undefined
  readonly probes: Probes
  /** in the order of the report */
  readonly groups: readonly Group[]
}

const leading = 'apps' satisfies Group

export async function lookAtAccount({ round, account, probes, groups }: Rounding): Promise<void> {
  const opening = probes[leading]
  const target = opening && targetOf(opening, undefined)
  let first: Probed | undefined
  // without an account, or a first answer, what is asked is skipped on account of what failed before
  const unless = (judge: (heard: Probed, one: Account, signal: AbortSignal) => Verdict | Promise<Verdict>) => {
    return (signal: AbortSignal) => (first && account ? judge(first, account, signal) : skip('there was no answer'))
  }
  await round.look('token', async (signal) => {
    if (!account || !opening || target === undefined) return skip('the key file cannot be used')
    first = await ask(account, target, opening, signal)
    return judgeToken(first, account, target, signal)
  })
  await round.look('agreements', unless(judgeAgreements))
  await round.look('quota', unless(judgeQuota))
  for (const group of groups) {
    const look = unless((heard, one, signal) =>
      group === leading
        ? judgeGroup({ group, probe: opening, credential: one.credential }, heard)
        : lookAtGroup(group, { probe: probes[group], first: heard, account: one, signal }),
    )
    await round.look('group', look, group)
  }
}
