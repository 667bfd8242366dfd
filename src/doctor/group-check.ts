// What the platform's answer to the one cheap read of a group says of the group.
import type { Group } from '../catalogue/define.ts'
import type { Probe } from '../catalogue/probes.ts'
import type { Credential } from '../connections/credential.ts'
import type { Probed } from '../platform/probe.ts'
import { causeOf, foreignCause, isForeign } from './answers.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'

export const sign =
  'The Account Holder signs it in App Store Connect, under Business. Until then every read is refused.'
const between = 'See what stands between here and the platform, such as a proxy or a firewall.'
const again = 'Try it again; the platform has such moments.'
const moved =
  'Try it again; if it stays so, the platform does not take any more what is asked there: see whether there is a newer Vitrine, and what `vitrine review` finds.'

const role = (group: Group, { issuerId }: Credential): string =>
  issuerId === undefined
    ? `Give the user of the key a role that may see this, or leave ${group} out of what facade keys may read.`
    : `Make a key with a role that may see this (Admin sees all), or leave ${group} out of what facade keys may read.`

interface Tried {
  readonly group: Group
  readonly probe: Probe | undefined
  readonly credential: Credential
}

export function judgeGroup({ group, probe, credential }: Tried, heard: Probed): Verdict {
  const { code, status, retryAfterSec } = heard
  if (code === undefined) return ok('It can be read.')
  const says = `The group ${group} cannot be read.`
  if (isForeign(heard)) return fail(says, { cause: foreignCause(heard), cure: between })
  if (code === 'upstream_forbidden')
    return fail(says, { cause: 'the platform answered 403: the key may not', cure: role(group, credential) })
  if (code === 'upstream_agreement_missing') return fail(says, { cause: 'an agreement is missing for it', cure: sign })
  if (code === 'upstream_rate_limited')
    return fail(says, {
      cause: 'the quota of the key was spent meanwhile',
      cure: `Wait${retryAfterSec === undefined ? '' : ` ${retryAfterSec} seconds`}, and try it again.`,
      stops: 'the quota is spent',
    })
  if (code === 'resource_not_found')
    return warn('It cannot be told whether it can be read.', {
      cause: `the platform answered 404 ${probe?.read.includes('{appId}') ? 'for an app that it had just listed' : 'for a list that is always there'}, as it does now and then`,
      cure: 'Try it again.',
    })
  return fail(says, {
    cause: causeOf(heard),
    cure: status !== undefined && status !== 401 && status < 500 && status >= 400 ? moved : again,
  })
}
