// Checks that trustedProxies is not too wide: a sender at a trusted address can claim any caller's address.
import { isWideNetwork } from '../../../base/core/network.ts'
import type { Settings } from '../settings.ts'
import { ok, type Verdict, warn } from './finding.ts'

export function judgeProxies({
  settings: { trustedProxies },
}: {
  readonly settings: Pick<Settings, 'trustedProxies'>
}): Verdict {
  const wide = trustedProxies.filter(isWideNetwork)
  if (wide.length > 0)
    return warn('The trusted proxies include other machines.', {
      cause: `trustedProxies: ${wide.join(', ')} includes more than proxies, and each machine in it can claim any caller's address`,
      cure: 'List the addresses of the proxies, or the smallest network that holds only them.',
    })
  if (trustedProxies.length === 0) return ok('No proxy is trusted.')
  return ok(`Trusted: ${trustedProxies.join(', ')}.`)
}
