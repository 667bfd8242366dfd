// Resolves the platform's name, one lookup at a time, so that a hanging resolver blocks one thread only. A public name that
// resolves to a private address is refused.
import { promises as dns, type LookupAddress } from 'node:dns'
import { BlockList, type LookupFunction } from 'node:net'

export type Resolve = (host: string) => Promise<LookupAddress[]>

export const privateAddress = 'EPRIVATE'

/** how long addresses are cached; an empty or failed lookup is not */
const cachedMs = 5_000
const hungMs = 10_000
const inside = new BlockList()
const subnets = {
  ipv4: `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16
    198.18.0.0/15 224.0.0.0/3`,
  ipv6: '::/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16 fc00::/7 fe80::/9 ff00::/8',
} as const
for (const family of ['ipv4', 'ipv6'] as const)
  for (const subnet of subnets[family].split(/\s+/)) {
    const [network = '', bits] = subnet.split('/')
    inside.addSubnet(network, Number(bits), family)
  }

const isInside = ({ address, family }: LookupAddress): boolean => inside.check(address, family === 6 ? 'ipv6' : 'ipv4')

export interface AddressLookupOptions {
  readonly privateAddresses: boolean
  readonly steady: () => number
  readonly resolve?: Resolve | undefined
}

export function createAddressLookup(options: AddressLookupOptions): LookupFunction {
  const { privateAddresses, steady, resolve = (host) => dns.lookup(host, { all: true }) } = options
  let found: { host: string; until: number; addresses: Promise<LookupAddress[]> } | undefined

  function addressesOf(host: string): Promise<LookupAddress[]> {
    if (found?.host === host && steady() < found.until) return found.addresses
    const asked = { host, until: steady() + hungMs, addresses: resolve(host) }
    found = asked
    const forget = () => found === asked && (found = undefined)
    asked.addresses.then(({ length }) => (length > 0 ? (asked.until = steady() + cachedMs) : forget()), forget)
    return asked.addresses
  }

  return (host, { all }, answer) => {
    addressesOf(host).then(
      (addresses) => {
        const good = addresses.filter((one) => privateAddresses || !isInside(one))
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
