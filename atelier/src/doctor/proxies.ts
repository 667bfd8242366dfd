// Whether `trustedProxies` names the proxy in front, and proxies alone.
import { isWideNetwork } from '../../../base/core/network.ts'
import { hasUnknownProxy, type Settings } from '../settings.ts'
import type { Finding } from './finding.ts'

export function examineProxies(settings: Pick<Settings, 'publicUrl' | 'trustedProxies'>): readonly Finding[] {
  if (hasUnknownProxy(settings))
    return [
      {
        problem:
          'publicUrl is https and trustedProxies is empty: all callers count as the address of the proxy, and 30 wrong passwords of one of them stop the sign-ins of all.',
        fix: 'Set trustedProxies to the addresses of the proxy, such as ["127.0.0.1"] for one on this machine.',
      },
    ]
  const wide = settings.trustedProxies.filter(isWideNetwork)
  if (wide.length === 0) return []
  return [
    {
      problem: `trustedProxies holds ${wide.join(', ')}: each machine in there can claim the address of any caller.`,
      fix: 'List the addresses of the proxies, or the smallest network that holds them alone.',
    },
  ]
}
