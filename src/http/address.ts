// Whose address counts: the socket's, or, where the socket is a trusted proxy's, the one that the proxies vouch for.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, type Socket } from 'node:net'

export interface Proxies {
  trusts(address: string): boolean
  /** the nearest hop that is no proxy of ours; what a stranger writes into the header changes nothing */
  callerOf(req: IncomingMessage): string
}

/** an IPv4 address as it is written everywhere else, and not as a socket for both families has it */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** some proxies add the port */
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

  /** who is at the other end stays the same as long as the socket lives */
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
        // nobody knows what stands further left, or who wrote it
        if (address === undefined) return peer
        caller = address
        if (!trusts(caller)) break
      }
      return caller
    },
  }
}
