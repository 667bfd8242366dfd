// From a name to a connection: resolved once, every address checked, and connected to one of those that were checked.
import { Resolver } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import type { AddressRule } from './addresses.ts'
import { EgressRefusal } from './refusal.ts'

const lookupMs = 5_000
const connectMs = 10_000
const mostTried = 4

export type Resolve = (host: string) => Promise<readonly string[]>

/** Asks the servers of DNS itself: neither a file of hosts nor a search list counts, and no thread waits. */
export function createResolve(servers: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: lookupMs / 2, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

export interface Destination {
  readonly host: string
  readonly port: number
}

async function connectOnce(to: Destination, timeoutMs: number, signal: AbortSignal): Promise<Socket | undefined> {
  const socket = connect({ ...to, allowHalfOpen: true, noDelay: true })
  const leave = () => void socket.destroy()
  const late = setTimeout(leave, timeoutMs)
  signal.addEventListener('abort', leave)
  const isConnected = await new Promise<boolean>((ok) => {
    socket.once('connect', () => ok(true))
    socket.once('close', () => ok(false))
    socket.on('error', () => {})
  })
  clearTimeout(late)
  signal.removeEventListener('abort', leave)
  return isConnected ? socket : undefined
}

export type Connect = (to: Destination, signal: AbortSignal) => Promise<Socket>

export function createConnect(resolve: Resolve, isAllowed: AddressRule): Connect {
  return async ({ host, port }, signal) => {
    const addresses = await resolve(host)
    if (addresses.length === 0) throw new EgressRefusal('unresolved')
    // a name that leads inwards and outwards is as suspicious as one that leads inwards alone
    if (!addresses.every(isAllowed)) throw new EgressRefusal('address_refused')
    const endsAt = performance.now() + connectMs
    for (const address of addresses.slice(0, mostTried)) {
      const leftMs = endsAt - performance.now()
      if (signal.aborted) break
      const socket = leftMs > 0 ? await connectOnce({ host: address, port }, leftMs, signal) : undefined
      if (socket) return socket
    }
    throw new EgressRefusal('unreachable')
  }
}
