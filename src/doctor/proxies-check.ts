// Whether trustedProxies names more than proxies: a sender at a trusted address can pass for any caller.
import { isIPv4 } from 'node:net'
import type { Settings } from '../settings.ts'
import { ok, type Verdict, warn } from './finding.ts'

/** no network of proxies is larger than these */
const widest = { ipv4: 16, ipv6: 48 }
/** ranges that everybody uses, and that no one network fills */
const common = /^(192\.168|169\.254)\./

/** an address alone is never wide, and loopback is this machine */
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
    return warn('More is trusted than proxies.', {
      cause: `trustedProxies: ${wide.join(', ')} holds more machines than proxies, and each of them can pass for any caller`,
      cure: 'Name the addresses of the proxies themselves, or the smallest network that only they are in.',
    })
  if (trustedProxies.length === 0) return ok('No proxy is trusted.')
  return ok(`Trusted: ${trustedProxies.join(', ')}.`)
}
