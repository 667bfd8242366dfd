// A platform in bytes: the test's own function writes to the socket whatever it likes, well-formed or not.
import { createServer, type AddressInfo, type Socket } from 'node:net'

export type RawScript = (socket: Socket, request: string) => void

export interface RawPlatform {
  readonly url: string
  /** request heads, in the order in which they came */
  readonly requests: string[]
  /** sockets that are open at this moment */
  readonly sockets: Set<Socket>
  /** how many connections there have been */
  connections: number
  script: RawScript
  readonly close: () => Promise<void>
}

/** a whole answer with a length */
export const answerOf = (body: string | Buffer, headers = '', status = '200 OK'): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n`),
    Buffer.from(`${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ])

export interface RawPlatformOptions {
  /** the one that another has left, so that it comes back; any free one where it is left out */
  readonly port?: number
  /** what becomes of a socket before its bytes are requests, such as a handshake */
  readonly wrap?: (socket: Socket, ready: (socket: Socket) => void) => void
}

export async function startRawPlatform(
  script: RawScript = () => {},
  { port = 0, wrap = (socket, ready) => ready(socket) }: RawPlatformOptions = {},
): Promise<RawPlatform> {
  const sockets = new Set<Socket>()
  const platform: RawPlatform = { url: '', requests: [], sockets, connections: 0, script, close: async () => {} }
  const listen = (socket: Socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (part) => {
      text += part.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end)
        text = text.slice(end + 4)
        platform.requests.push(request)
        platform.script(socket, request)
      }
    })
  }
  const server = createServer((socket) => {
    platform.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    wrap(socket, listen)
  })
  await new Promise<void>((ok) => server.listen(port, '127.0.0.1', ok))
  return Object.assign(platform, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((ok) => {
        server.close(() => ok())
        for (const socket of sockets) socket.destroy()
      }),
  })
}

/** writes, and keeps the connection */
export const says =
  (...parts: (string | Buffer)[]): RawScript =>
  (socket) => {
    parts.forEach((part) => socket.write(part))
  }
export const saysAndEnds =
  (...parts: (string | Buffer)[]): RawScript =>
  (socket) => {
    parts.forEach((part) => socket.write(part))
    socket.end()
  }
/** writes, and breaks the connection once that has left */
export const saysAndResets =
  (text: string): RawScript =>
  (socket) =>
    void socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20))
/** until the other side has gone */
export function repeat(socket: Socket, part: string | Buffer, everyMs: number) {
  const timer = setInterval(() => socket.write(part), everyMs)
  socket.once('close', () => clearInterval(timer))
}
export function flood(socket: Socket, part: string | Buffer) {
  const more = () => {
    while (!socket.destroyed && socket.write(part));
  }
  socket.on('drain', more)
  more()
}
