// Checks that trustedProxies is not too wide: a sender at a trusted address can claim any caller's address.
import { isIPv4 } from 'node:net'
import type { Settings } from '../settings.ts'
import { ok, type Verdict, warn } from './finding.ts'

/** the widest networks that plausibly hold only proxies, in bits */
const widest = { ipv4: 16, ipv6: 48 }
/** private ranges so common that a /16 of them holds other machines, too */
const common = /^(192\.168|169\.254)\./

function isWide(network: string): boolean {
  const [written = '', bits] = network.split('/')
  if (bits === undefined) return false
  const mapped = /^::ffff:/i.test(written)
  const address = written.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!mapped && !isIPv4(address)) return Number(bits) < widest.ipv6
  const length = Number(bits) - (mapped ? 96 : 0)
  if (length >= 8 && address.startsWith('127.')) return false
  return length < widest.ipv4 || (length === widest.ipv4 && common.test(address))
}

export function judgeProxies({
  settings: { trustedProxies },
}: {
  readonly settings: Pick<Settings, 'trustedProxies'>
}): Verdict {
  const wide = trustedProxies.filter(isWide)
  if (wide.length > 0)
    return warn('The trusted proxies include other machines.', {
      cause: `trustedProxies: ${wide.join(', ')} includes more than proxies, and each machine in it can claim any caller's address`,
      cure: 'List the addresses of the proxies, or the smallest network that holds only them.',
    })
  if (trustedProxies.length === 0) return ok('No proxy is trusted.')
  return ok(`Trusted: ${trustedProxies.join(', ')}.`)
}
