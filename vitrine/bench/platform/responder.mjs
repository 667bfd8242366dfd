// The least that answers HTTP/1.1 over kept connections: answers are pieces made once, and leave in one write. It is for GETs
// without a body, from programs that we started; a real server's care would make the platform what the others wait for.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'

const endOfHead = '\r\n\r\n'

/** the pieces of an answer: its head, and its body as it is */
export function answerOf(status, headers, body = []) {
  const length = body.reduce((sum, piece) => sum + piece.length, 0)
  const fields = Object.entries({ ...(status !== 304 && { 'content-length': length }), ...headers })
  const head = Buffer.from(
    `HTTP/1.1 ${status} -\r\n${fields.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n`,
    'latin1',
  )
  // what is small is one piece
  return length < 16_384 ? [Buffer.concat([head, ...body])] : [head, ...body]
}

function send(socket, pieces) {
  if (pieces.length === 1) return socket.write(pieces[0])
  socket.cork()
  for (const piece of pieces) socket.write(piece)
  return socket.uncork()
}

/** `answer(target, head, reply)`: calls `reply` with pieces, at once or later; by TLS with `{ key, cert }`. Gives its port. */
export async function respond(answer, tls) {
  const server = (tls ? createSecureServer : createServer)({ noDelay: true, ...tls })
  server.on(tls ? 'secureConnection' : 'connection', (socket) => {
    let rest = ''
    const reply = (pieces) => socket.writable && send(socket, pieces)
    socket.setEncoding('latin1')
    socket.on('error', () => socket.destroy())
    socket.on('data', (text) => {
      rest += text
      for (let end = rest.indexOf(endOfHead); end >= 0; end = rest.indexOf(endOfHead)) {
        const head = rest.slice(0, end)
        rest = rest.slice(end + endOfHead.length)
        answer(head.slice(4, head.indexOf(' ', 4)), head, reply)
      }
    })
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 })
  await once(server, 'listening')
  return server.address().port
}
