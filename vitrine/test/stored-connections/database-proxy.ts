// A TCP proxy between a server and its database: it forwards everything, forwards nothing, or refuses connections.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../../../base/test/free-port.ts'

export interface DatabaseProxy {
  /** the same database through this proxy */
  readonly url: string
  /** drops all bytes, as a broken network does */
  silence(): Promise<void>
  unsilence(): Promise<void>
  /** delays every piece */
  slow(ms: number): void
  /** refuses connections, as a host without a server does */
  cut(): Promise<void>
  mend(): Promise<void>
  readonly close: () => Promise<void>
}

function listen(at: number, pass: (near: Socket) => void): Promise<Server> {
  return new Promise((ok, no) => {
    const server = createServer(pass)
    server.once('error', no)
    server.listen(at, '127.0.0.1', () => ok(server))
  })
}

export async function startDatabaseProxy(database: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(database)
  const sockets = new Set<Socket>()
  let silent = false
  let lateMs = 0
  const join = (one: Socket, other: Socket) => {
    sockets.add(one)
    const pass = (bytes: Buffer) => void (other.destroyed || other.write(bytes))
    one.on('data', (bytes) => {
      if (silent) return
      if (lateMs === 0) pass(bytes)
      else setTimeout(pass, lateMs, bytes)
    })
    one.on('error', () => {})
    one.on('close', () => {
      sockets.delete(one)
      other.destroy()
    })
  }
  const pass = (near: Socket) => {
    const far = connect(Number(port || 5_432), hostname)
    join(near, far)
    join(far, near)
  }
  const at = await freePort()
  let server: Server | undefined = await listen(at, pass)
  const url = new URL(database)
  url.host = `127.0.0.1:${at}`
  const cut = async () => {
    const gone = server
    server = undefined
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((ok) => (gone ? gone.close(() => ok()) : ok()))
  }
  return {
    url: url.href,
    silence: async () => void (silent = true),
    unsilence: async () => void (silent = false),
    slow: (ms) => void (lateMs = ms),
    cut,
    mend: async () => void (server ??= await listen(at, pass)),
    close: cut,
  }
}
