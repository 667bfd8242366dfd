// The SSH gateway: accepts connections, limits how many there are, and closes all when the service stops.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Address } from '../../../base/core/setting-values.ts'
import { createConnectionLimit } from '../../../base/web/sockets.ts'
import { type ConnectionParts, SshConnection } from './connection.ts'

const mostOfNetwork = 100
const mostInAll = 1_000

export interface SshGateway {
  /** answers where it listens */
  listen(at: Address): Promise<string>
  /** resolves when every connection is closed and every command of one has ended */
  close(): Promise<void>
}

export function createSshGateway(parts: ConnectionParts): SshGateway {
  const connections = new Set<SshConnection>()
  // a connection that has proven nothing gives way first
  const limit = createConnectionLimit({
    most: mostOfNetwork,
    mostInAll,
    isTrusted: () => false,
    observe: parts.observe,
  })
  const server = createServer({ noDelay: true }, (socket: Socket) => {
    socket.on('error', () => {})
    limit.enter(socket)
    if (socket.destroyed) return
    const connection = new SshConnection(socket, parts, () => limit.busy(socket))
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  })
  return {
    async listen(at) {
      await once(server.listen(at), 'listening')
      const { address, port, family } = server.address() as AddressInfo
      return `${family === 'IPv6' ? `[${address}]` : address}:${port}`
    },
    async close() {
      server.close()
      const open = [...connections]
      for (const connection of open) connection.end('stopping')
      await Promise.all(open.map((connection) => connection.ended()))
    },
  }
}
