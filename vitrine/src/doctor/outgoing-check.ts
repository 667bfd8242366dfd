// Checks how other hosts are reached: the proxy, and the file of certificate authorities.
import { readOutbound } from '../platform/proxy/outbound.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { Installation } from './installation.ts'
import { counted } from '../../../base/core/plural.ts'

const says = 'Calls to other hosts cannot be made.'
const cure = 'Correct what is named, as the guide "Behind a proxy" shows.'

export function judgeOutgoing(installation: Installation): Verdict {
  const { settings, folder } = installation
  try {
    installation.outbound = readOutbound(settings, { folder })
  } catch (error) {
    return fail(says, { cause: (error as Error).message, cure })
  }
  const { to, proxyHost, authorities } = installation.outbound
  if (settings['upstream.proxy'] === 'environment' && proxyHost === undefined)
    return warn('The platform is called without a proxy.', {
      cause: 'upstream.proxy is "environment", which has no HTTPS_PROXY',
      cure: 'Give the service HTTPS_PROXY, or remove upstream.proxy.',
    })
  const { proxy } = to(new URL(settings['upstream.baseUrl']))
  const beside = authorities > 0 ? `, with ${counted(authorities, 'own certificate')}` : ''
  const except = proxyHost === undefined || proxy ? '' : ` (it is excepted from ${proxyHost})`
  return ok(`The platform is called ${proxy ? `through ${proxyHost}` : 'directly'}${except}${beside}.`)
}
