// The network that an address is counted with: an attacker has many addresses of one network.
import { isIPv4 } from 'node:net'

function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::', 2) ?? []
  const numbers = (part: string | undefined) =>
    (part ?? '')
      .split(':')
      .filter(Boolean)
      .map((one) => parseInt(one, 16))
  const [before, after] = [numbers(head), numbers(tail)]
  return [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0), ...after]
}

export function networkOf(address: string): string {
  const v4 = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(v4)) return v4.slice(0, v4.lastIndexOf('.'))
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(address)
  return [a, b, c, d >> 8].map((part) => part.toString(16)).join(':')
}

/** the widest networks that plausibly hold only proxies, in bits */
const widest = { ipv4: 16, ipv6: 48 }
/** private ranges so common that a /16 of them holds other machines, too */
const common = /^(192\.168|169\.254)\./

/** whether a network has room for other machines besides proxies */
export function isWideNetwork(network: string): boolean {
  const [written = '', bits] = network.split('/')
  if (bits === undefined) return false
  const mapped = /^::ffff:/i.test(written)
  const address = written.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!mapped && !isIPv4(address)) return Number(bits) < widest.ipv6
  const length = Number(bits) - (mapped ? 96 : 0)
  if (length >= 8 && address.startsWith('127.')) return false
  return length < widest.ipv4 || (length === widest.ipv4 && common.test(address))
}
