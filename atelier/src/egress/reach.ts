// Connections to hosts that a container may reach: counted, measured, and closed with the service.
import type { Socket } from 'node:net'
import type { Observe } from '../events.ts'
import type { ConnectionCount } from './connection-count.ts'
import type { Connect, Destination } from './destination.ts'
import { EgressRefusal } from './refusal.ts'
import { checkDestination, type Permit } from './target.ts'

export interface ReachClient {
  readonly account: string
  readonly permit: Permit
}

export interface ReachParts {
  readonly connect: Connect
  readonly connections: ConnectionCount
  readonly observe: Observe
}

export function createReach({ connect, connections, observe }: ReachParts) {
  const open = new Set<Socket>()
  async function reach(to: Destination, { account, permit }: ReachClient, signal: AbortSignal): Promise<Socket> {
    const checked = checkDestination(to, permit)
    const release = connections.take(account)
    if (!release) throw new EgressRefusal('full')
    try {
      const socket = await connect(checked, signal)
      open.add(socket)
      socket.once('close', () => {
        release()
        open.delete(socket)
        observe({ kind: 'egress_closed', sent: socket.bytesWritten, received: socket.bytesRead })
      })
      return socket
    } catch (error) {
      release()
      throw error
    }
  }

  function closeAll() {
    for (const socket of open) socket.destroy()
  }

  return { reach, closeAll }
}
