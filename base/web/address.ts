// The caller's address: the socket's, or, behind trusted proxies, the one that they report.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, type Socket } from 'node:net'

export interface Proxies {
  trusts(address: string): boolean
  /** the nearest hop that is no trusted proxy, so callers cannot forge it with a header */
  callerOf(req: IncomingMessage): string
}

/** removes the IPv6 prefix of a dual-stack socket */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

const hopForm = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+):\d{1,5}|([\da-f:.]+))$/i

function readHop(text: string): string | undefined {
  const [, bracketed, withPort, alone] = hopForm.exec(text.trim()) ?? []
  const address = bracketed ?? withPort ?? alone ?? ''
  return isIP(address) === 0 ? undefined : plain(address)
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [written = '', bits] = network.split('/')
    const address = bits === undefined ? plain(written) : written
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

export function createProxies(networks: readonly string[]): Proxies {
  const list = listOf(networks)

  function trusts(address: string): boolean {
    const bare = plain(address).split('%', 1)[0] ?? ''
    const version = networks.length === 0 ? 0 : isIP(bare)
    return version !== 0 && list.check(bare, version === 4 ? 'ipv4' : 'ipv6')
  }

  const peers = new WeakMap<Socket, { readonly address: string; readonly isTrusted: boolean }>()
  function peerOf(socket: Socket) {
    const known = peers.get(socket)
    if (known) return known
    const address = plain(socket.remoteAddress ?? 'unknown')
    const peer = { address, isTrusted: trusts(address) }
    peers.set(socket, peer)
    return peer
  }

  return {
    trusts,
    callerOf({ socket, headers }) {
      const { address: peer, isTrusted } = peerOf(socket)
      if (!isTrusted) return peer
      let caller = peer
      for (const hop of String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .toReversed()) {
        const address = readHop(hop)
        // hops further left are not trustworthy
        if (address === undefined) return peer
        caller = address
        if (!trusts(caller)) break
      }
      return caller
    },
  }
}
