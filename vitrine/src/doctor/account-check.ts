// Checks one connection at the platform: its token, agreements, quota, and the groups that it can read. One call each, and a
// second one after an answer that may be transient.
import { type Group, groups as allGroups } from '../catalogue/define.ts'
import { routes } from '../catalogue/index.ts'
import { type Probe, probes } from '../catalogue/probes.ts'
import { idHint, oddIds } from '../connection-settings.ts'
import type { Credential } from '../platform/auth/signer.ts'
import { isJsonObject } from '../../../base/core/json.ts'
import type { Probed, Prober } from '../platform/call/probe.ts'
import { explainFailure, explainForeign, isForeign, isTransient } from './platform-answers.ts'
import { fail, ok, skip, type Verdict, warn } from './finding.ts'
import { judgeGroup, sign } from './group-check.ts'
import type { KeyFileResult } from './key-file-check.ts'
import type { CheckRunner } from './runner.ts'

interface Account extends Pick<KeyFileResult, 'named'> {
  readonly credential: Credential
  readonly prober: Prober
}

/** Undefined if it needs an app and none is known. */
function probeTarget({ read, query }: Probe, appId: string | undefined): string | undefined {
  if (read.includes('{appId}') && appId === undefined) return undefined
  return `${read.replace('{appId}', encodeURIComponent(appId ?? ''))}?${new URLSearchParams(query).toString()}`
}

async function ask({ prober, credential }: Account, target: string, probe: Probe, signal: AbortSignal) {
  const read = { target, accept: probe.mediaType ?? 'application/json', signal }
  const first = await prober.ask(read, credential)
  return isTransient(first) ? prober.ask(read, credential) : first
}

const wants = 'Compare keyId and issuerId with App Store Connect, under Users and Access, Integrations'

/** The platform does not say why it refuses a token: this finds the likely cause. */
async function diagnose({ credential, named, prober }: Account, target: string, signal: AbortSignal): Promise<Verdict> {
  const { keyId, issuerId, key } = credential
  const says = 'The platform refuses the token.'
  if (named !== undefined && named !== keyId)
    return fail(says, {
      cause: `keyId is ${keyId}, and the key file is named after ${named}`,
      cure: `Set keyId to ${named}, or privateKeyFile to the key of ${keyId}.`,
    })
  const [odd] = oddIds(credential)
  if (odd !== undefined)
    return fail(says, { cause: `${odd} does not have the form of the platform's`, cure: idHint(odd) })
  if (issuerId === undefined)
    return fail(says, {
      cause: `the individual key ${keyId} is unknown to the platform or revoked, or it is a team key, which needs its issuerId`,
      cure: `${wants}: a team key has an issuer id above the list of keys. If it is not listed as active, create a new one.`,
    })
  // an individual key is refused if its token names an issuer
  const read = { target, accept: 'application/json', signal }
  const alone = await prober.ask(read, { keyId, key })
  if (alone.status !== undefined && alone.status !== 401)
    return fail(says, {
      cause: `${keyId} is an individual key, which has no issuer`,
      cure: 'Remove issuerId from the connection.',
    })
  return fail(says, {
    cause: `the key ${keyId} is unknown to the platform or revoked, or ${issuerId} is not its issuer, or the file holds another key`,
    cure: `${wants}. If the key is not listed as active, create a new one and store it here.`,
  })
}

async function judgeToken(first: Probed, account: Account, target: string, signal: AbortSignal): Promise<Verdict> {
  if (first.status === 401) return diagnose(account, target, signal)
  const isAnswer = first.status !== undefined && first.status < 500 && first.code !== 'upstream_malformed'
  if (isAnswer && !isForeign(first)) return ok(`The platform accepts the token of ${account.credential.keyId}.`)
  return fail('The platform gave no usable answer to the token.', {
    cause: isForeign(first) ? explainForeign(first) : explainFailure(first),
    cure: 'Try again. If it fails again, check the status page of the platform and the network in between.',
  })
}

function judgeAgreements({ code }: Probed): Verdict {
  if (code === 'upstream_agreement_missing')
    return fail('An agreement is missing or has expired.', { cause: 'the platform reports it', cure: sign })
  if (code === 'upstream_rate_limited') return { ...skip('the quota is used up'), stops: undefined }
  return ok('No agreement is missing.')
}

const low = 0.1

function judgeQuota({ code, rates, retryAfterSec }: Probed): Verdict {
  const windows = Object.entries(rates).map(([name, window]) => ({ name, ...window }))
  const says = windows
    .map(({ name, remaining, limit }) => `${remaining} of ${limit} requests of the ${name}`)
    .join(', ')
  if (code === 'upstream_rate_limited')
    return fail('The quota of the signing key is used up.', {
      cause: 'the platform answered 429',
      cure: `Wait${retryAfterSec === undefined ? ' up to an hour' : ` ${retryAfterSec} seconds`}, and find out which other programs use this key. A key for Vitrine alone is best.`,
    })
  if (windows.length === 0) return { ...skip('the platform reports no quota here'), stops: undefined }
  if (windows.every(({ remaining, limit }) => remaining >= low * limit)) return ok(`${says} are left.`)
  return warn('The quota of the signing key is nearly used up.', {
    cause: `${says} are left`,
    cure: 'Find out which other programs use this key, give Vitrine a key of its own, and let it cache answers (cacheSeconds).',
  })
}

function appIdOf({ document }: Probed): string | undefined {
  const [app] = isJsonObject(document) && Array.isArray(document['data']) ? (document['data'] as unknown[]) : []
  const id = isJsonObject(app) ? app['id'] : undefined
  return typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : undefined
}

/** its answer names the app that the other probes read */
const leading = 'apps' satisfies Group

async function checkGroup(group: Group, first: Probed, account: Account, signal: AbortSignal): Promise<Verdict> {
  const probe = probes[group]
  if (!probe) return skip('there is no probe for it')
  const { credential } = account
  if (group === leading) return judgeGroup(group, probe, credential, first)
  const target = probeTarget(probe, appIdOf(first))
  if (target !== undefined) return judgeGroup(group, probe, credential, await ask(account, target, probe, signal))
  return skip(first.code === undefined ? 'the account has no apps' : 'no app can be listed')
}

/** groups with a route, in the order of the report */
export const checkedGroups = allGroups.filter((group) => routes.some((route) => route.group === group))

export interface AccountCheckOptions {
  readonly groups: readonly Group[]
  /** signing keys whose quota was found spent, which several connections may share */
  readonly spent: Set<string>
}

const nameOf = ({ credential: { issuerId = '', keyId } }: Account): string => `${issuerId} ${keyId}`

export async function checkAccount(
  runner: CheckRunner,
  account: Account | undefined,
  { groups, spent }: AccountCheckOptions,
): Promise<void> {
  const probe = probes[leading]
  const target = probe && probeTarget(probe, undefined)
  let first: Probed | undefined
  // without a first answer the check is skipped, with the reason of the failure before
  const withFirst = (judge: (probed: Probed, one: Account, signal: AbortSignal) => Verdict | Promise<Verdict>) => {
    return (signal: AbortSignal) => (first && account ? judge(first, account, signal) : skip('there was no answer'))
  }
  await runner.run('token', async (signal) => {
    if (!account || !probe || target === undefined) return skip('the key file cannot be used')
    if (spent.has(nameOf(account))) return skip('the quota of its signing key is used up')
    first = await ask(account, target, probe, signal)
    if (first.code === 'upstream_rate_limited') spent.add(nameOf(account))
    return judgeToken(first, account, target, signal)
  })
  await runner.run('agreements', withFirst(judgeAgreements))
  await runner.run('quota', withFirst(judgeQuota))
  for (const group of groups)
    await runner.run(
      'group',
      withFirst((probed, one, signal) => checkGroup(group, probed, one, signal)),
      group,
    )
}
