// Which hosts are reached without the proxy, by the usual form of NO_PROXY: names with all below them, addresses, networks,
// each with or without a port, and `*`.
import { BlockList, isIP } from 'node:net'

export type IsDirect = (url: URL) => boolean

const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'http:' ? '80' : '443')

function directNetwork(address: string, bits: number): IsDirect {
  const network = new BlockList()
  network.addSubnet(address, bits, familyOf(address))
  return ({ hostname }) => {
    const host = unbracketed(hostname)
    return isIP(host) !== 0 && network.check(host, familyOf(host))
  }
}

function directName(entry: string): IsDirect | undefined {
  const [, name = '', port] = /^(?:\*?\.)?(\[[\da-f:.]+\]|[\w.:-]*?)\.?(?::(\d{1,5}))?$/.exec(entry) ?? []
  const host = unbracketed(name)
  if (host === '' || (host.includes(':') && isIP(host) === 0)) return undefined
  return (url) => {
    const asked = unbracketed(url.hostname).replace(/\.$/, '')
    const isHost = asked === host || (isIP(asked) === 0 && asked.endsWith(`.${host}`))
    return isHost && (port === undefined || portOf(url) === port)
  }
}

/** undefined: it has none of the forms */
export function readDirectHost(given: string): IsDirect | undefined {
  const entry = given.toLowerCase()
  if (entry === '*') return () => true
  const [address = '', bits = ''] = entry.split('/')
  if (isIP(unbracketed(address)) === 6 && bits === '') return directNetwork(unbracketed(address), 128)
  if (!entry.includes('/')) return directName(entry)
  const isNetwork = isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32)
  return isNetwork ? directNetwork(address, Number(bits)) : undefined
}

export const splitHosts = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)
