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
