// A wire between two programs that a test can cut, freeze or make slow, and mend again.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** `cut`: sockets are reset, and new ones too; `frozen`: nothing passes, and nobody is told */
export type Wire = 'whole' | 'cut' | 'frozen'

export interface TcpProxy {
  readonly port: number
  become(wire: Wire): void
  /** from now on it leads there; what is open is reset, or stays open */
  lead(port: number, staysOpen?: boolean): void
  /** how long every piece is held up, in both directions */
  delay(ms: number): void
  /** sockets that are open now */
  open(): number
  close(): Promise<void>
}

export async function startTcpProxy(target: { readonly port: number; readonly host?: string }): Promise<TcpProxy> {
  let wire: Wire = 'whole'
  let delayMs = 0
  let farPort = target.port
  const sockets = new Set<Socket>()
  let thaw = Promise.withResolvers<void>()
  thaw.resolve()

  async function carry(from: Socket, to: Socket) {
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

  const server = createServer({ allowHalfOpen: true }, (near) => {
    sockets.add(near)
    near.on('error', () => undefined).on('close', () => sockets.delete(near))
    if (wire === 'cut') {
      near.resetAndDestroy()
      return
    }
    const far = connect({ port: farPort, host: target.host ?? '127.0.0.1', allowHalfOpen: true })
    sockets.add(far)
    far.on('error', () => near.destroy()).on('close', () => (sockets.delete(far), near.destroy()))
    near.on('close', () => far.destroy())
    void carry(near, far)
    void carry(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    become(next) {
      if (next === 'frozen' && wire !== 'frozen') thaw = Promise.withResolvers()
      if (next !== 'frozen') thaw.resolve()
      if (next === 'cut') for (const socket of sockets) socket.resetAndDestroy()
      wire = next
    },
    lead(port, staysOpen = false) {
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
