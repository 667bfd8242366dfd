// A TCP proxy between two programs that a test can cut, freeze or slow down, and restore.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** `cut`: sockets are reset, new ones too; `frozen`: no byte passes, and no socket is closed */
export type ProxyState = 'whole' | 'cut' | 'frozen'

export interface TcpProxy {
  readonly port: number
  setState(state: ProxyState): void
  /** forwards to this port from now on; open sockets are reset, or stay open */
  pointTo(port: number, staysOpen?: boolean): void
  /** the delay of each piece, in both directions */
  delay(ms: number): void
  /** sockets that are open now */
  open(): number
  close(): Promise<void>
}

export async function startTcpProxy(target: { readonly port: number; readonly host?: string }): Promise<TcpProxy> {
  let state: ProxyState = 'whole'
  let delayMs = 0
  let farPort = target.port
  const sockets = new Set<Socket>()
  let thaw = Promise.withResolvers<void>()
  thaw.resolve()

  async function forward(from: Socket, to: Socket) {
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        if (delayMs > 0) await pause(delayMs)
        await thaw.promise
        if (!to.write(piece)) await once(to, 'drain')
      }
      await thaw.promise
      to.end()
    } catch {
      to.destroy()
    }
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    sockets.add(client)
    client.on('error', () => undefined).on('close', () => sockets.delete(client))
    if (state === 'cut') {
      client.resetAndDestroy()
      return
    }
    const remote = connect({ port: farPort, host: target.host ?? '127.0.0.1', allowHalfOpen: true })
    sockets.add(remote)
    remote.on('error', () => client.destroy()).on('close', () => (sockets.delete(remote), client.destroy()))
    client.on('close', () => remote.destroy())
    void forward(client, remote)
    void forward(remote, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    setState(next) {
      if (next === 'frozen' && state !== 'frozen') thaw = Promise.withResolvers()
      if (next !== 'frozen') thaw.resolve()
      if (next === 'cut') for (const socket of sockets) socket.resetAndDestroy()
      state = next
    },
    pointTo(port, staysOpen = false) {
      farPort = port
      if (staysOpen) return
      for (const socket of sockets) socket.resetAndDestroy()
    },
    delay: (ms) => void (delayMs = ms),
    open: () => sockets.size,
    async close() {
      thaw.resolve()
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
