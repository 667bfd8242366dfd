// Which addresses the proxy connects to: global unicast ones alone, and networks that the operator opened.
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** of the global unicast space, 2000::/3; all else is refused, so every form that holds an IPv4 address but these */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']
const global6 = '2000::/3'

/** link-local networks, and what hands out credentials and settings in clouds: no operator opens them */
const neverOpen = [
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
]

const form = /^([0-9a-f.:]+)\/(\d{1,3})$/i

interface Network {
  readonly address: string
  readonly bits: number
  readonly family: 'ipv4' | 'ipv6'
}

function networkOf(text: string): Network | undefined {
  const [, address = '', length = ''] = form.exec(text) ?? []
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined
  const bits = Number(length)
  if (!family || String(bits) !== length || bits > (family === 'ipv4' ? 32 : 128)) return undefined
  // an IPv4 address in an IPv6 one is refused in any case
  return family === 'ipv6' && address.includes('.') ? undefined : { address, bits, family }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const { address, bits, family } of networks.map((one) => networkOf(one)!)) list.addSubnet(address, bits, family)
  return list
}

const [refused4, refused6, all6, never] = [special4, special6, [global6], neverOpen].map(listOf) as [
  BlockList,
  BlockList,
  BlockList,
  BlockList,
]

/** `10.0.0.0/8`; undefined: it is none, or one that nobody may open */
export function readNetwork(text: string): string | undefined {
  const network = networkOf(text)
  if (!network) return undefined
  const { address, bits, family } = network
  return bits === 0 || never.check(address, family) ? undefined : text
}

export type AddressRule = (address: string) => boolean

export function createAddressRule(openNetworks: readonly string[]): AddressRule {
  const open = listOf(openNetworks)
  return (address) => {
    if (isIPv4(address)) return !never.check(address) && (open.check(address) || !refused4.check(address))
    if (!isIPv6(address) || address.includes('%') || address.includes('.')) return false
    if (never.check(address, 'ipv6')) return false
    return open.check(address, 'ipv6') || (all6.check(address, 'ipv6') && !refused6.check(address, 'ipv6'))
  }
}
