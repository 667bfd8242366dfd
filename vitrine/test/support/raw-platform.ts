// A platform in bytes: the test's function writes any bytes to the socket, well-formed or not.
import { createServer, type AddressInfo, type Socket } from 'node:net'

export type RawScript = (socket: Socket, request: string) => void

export interface RawPlatform {
  readonly url: string
  /** request heads in the order of arrival */
  readonly requests: string[]
  /** sockets that are open now */
  readonly sockets: Set<Socket>
  /** connections accepted so far */
  connections: number
  script: RawScript
  readonly close: () => Promise<void>
}

/** a whole answer with a Content-Length */
export const answerOf = (body: string | Buffer, headers = '', status = '200 OK'): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n`),
    Buffer.from(`${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ])

export interface RawPlatformOptions {
  /** reuse this port, to come back at the same address; any free port if it is left out */
  readonly port?: number
  /** called with each new socket, such as to make a handshake */
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
export const respond =
  (...parts: (string | Buffer)[]): RawScript =>
  (socket) => {
    parts.forEach((part) => socket.write(part))
  }
export const respondAndEnd =
  (...parts: (string | Buffer)[]): RawScript =>
  (socket) => {
    parts.forEach((part) => socket.write(part))
    socket.end()
  }
/** writes, and resets the connection once that was sent */
export const respondAndReset =
  (text: string): RawScript =>
  (socket) =>
    void socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20))
/** until the client closes */
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
