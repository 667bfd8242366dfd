// Finds the platform's addresses: one question at a time for everybody, so that a resolver that hangs holds one thread
// and no more; and a public name that leads to a private address leads nowhere.
import { promises as dns, type LookupAddress } from 'node:dns'
import { BlockList, type LookupFunction } from 'node:net'

export type Resolve = (host: string) => Promise<LookupAddress[]>

/** the code of the error for a name that leads inside */
export const privateAddress = 'EPRIVATE'

/** an address that was found is believed for so long; that none was found, not at all */
const believedMs = 5_000
/** a resolver that has not answered for so long is asked once more: it may be another by now */
const hungMs = 10_000

const inside = new BlockList()
for (const [network, bits] of [
  ...[['0.0.0.0', 8] as const, ['10.0.0.0', 8] as const, ['100.64.0.0', 10] as const, ['127.0.0.0', 8] as const],
  ...[['169.254.0.0', 16] as const, ['172.16.0.0', 12] as const, ['192.0.0.0', 24] as const],
  ...[['192.168.0.0', 16] as const, ['198.18.0.0', 15] as const, ['224.0.0.0', 3] as const],
])
  inside.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ...[['::', 96] as const, ['64:ff9b::', 96] as const, ['64:ff9b:1::', 48] as const, ['2001::', 32] as const],
  ...[['2002::', 16] as const, ['fc00::', 7] as const, ['fe80::', 9] as const, ['ff00::', 8] as const],
])
  inside.addSubnet(network, bits, 'ipv6')

export const isInside = ({ address, family }: LookupAddress): boolean =>
  inside.check(address, family === 6 ? 'ipv6' : 'ipv4')

export interface LookUpOptions {
  /** whether addresses of this machine and of private networks are ones to connect to */
  readonly insideToo: boolean
  readonly steady: () => number
  readonly resolve?: Resolve | undefined
}

export function createLookUp(options: LookUpOptions): LookupFunction {
  const { insideToo, steady, resolve = (host) => dns.lookup(host, { all: true }) } = options
  let found: { host: string; until: number; addresses: Promise<LookupAddress[]> } | undefined

  function addressesOf(host: string): Promise<LookupAddress[]> {
    if (found?.host === host && steady() < found.until) return found.addresses
    const asked = { host, until: steady() + hungMs, addresses: resolve(host) }
    found = asked
    const forget = () => found === asked && (found = undefined)
    asked.addresses.then(({ length }) => (length > 0 ? (asked.until = steady() + believedMs) : forget()), forget)
    return asked.addresses
  }

  return (host, { all }, answer) => {
    addressesOf(host).then(
      (addresses) => {
        const good = addresses.filter((one) => insideToo || !isInside(one))
        const [first] = good
        if (!first) {
          const error = Object.assign(new Error('the name leads inside'), { code: privateAddress })
          return answer(addresses.length > 0 ? error : Object.assign(error, { code: 'ENOTFOUND' }), '')
        }
        return all ? answer(null, good) : answer(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => answer(error, ''),
    )
  }
}
