// Judges whether a group can be read, by the platform's answer to its probe.
import type { Group } from '../catalogue/define.ts'
import type { Probe } from '../catalogue/probes.ts'
import type { Credential } from '../platform/auth/signer.ts'
import type { Probed } from '../platform/call/probe.ts'
import { explainFailure, explainForeign, isForeign } from './platform-answers.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'

export const sign =
  'The Account Holder signs it in App Store Connect, under Business. Until then every read is refused.'
const between = 'Check what is between this machine and the platform, such as a proxy or a firewall.'
const again = 'Try again: the platform fails like this now and then.'
const moved =
  'Try again. If it fails again, the platform has changed: look for a newer Vitrine, and run `vitrine review`.'

const role = (group: Group, { issuerId }: Credential): string =>
  issuerId === undefined
    ? `Give the user of the key a role that can see this, or do not grant ${group} to facade keys.`
    : `Create a key with a role that can see this (Admin sees all), or do not grant ${group} to facade keys.`

export function judgeGroup(group: Group, probe: Probe, credential: Credential, probed: Probed): Verdict {
  const { code, status, retryAfterSec } = probed
  if (code === undefined) return ok('It can be read.')
  const says = `The group ${group} cannot be read.`
  if (isForeign(probed)) return fail(says, { cause: explainForeign(probed), cure: between })
  if (code === 'upstream_forbidden')
    return fail(says, {
      cause: 'the platform answered 403: the role of the key does not allow it',
      cure: role(group, credential),
    })
  if (code === 'upstream_agreement_missing') return fail(says, { cause: 'an agreement is missing for it', cure: sign })
  if (code === 'upstream_rate_limited')
    return fail(says, {
      cause: 'the quota of the key was used up meanwhile',
      cure: `Wait${retryAfterSec === undefined ? '' : ` ${retryAfterSec} seconds`}, and try again.`,
      stops: 'the quota is used up',
    })
  if (code === 'resource_not_found')
    return warn('Whether it can be read is unknown.', {
      cause: `the platform answered 404 ${probe.read.includes('{appId}') ? 'for an app that it had just listed' : 'for a list that is always there'}, as it sometimes does`,
      cure: 'Try again.',
    })
  return fail(says, {
    cause: explainFailure(probed),
    cure: status !== undefined && status !== 401 && status < 500 && status >= 400 ? moved : again,
  })
}
