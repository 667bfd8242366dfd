// What programs in containers are let out to in these tests: servers on the loopback address, and a DNS server that names them.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { Identity } from '../../../base/test/certificates.ts'

async function portOf(server: Server | ReturnType<typeof createTlsServer>, address = '127.0.0.1'): Promise<number> {
  server.listen(0, address)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** a plain one, which tells what it was asked */
export async function openHttpTarget(t: TestContext, answer?: (req: IncomingMessage, res: ServerResponse) => void) {
  const asked: { method: string; url: string; headers: readonly string[]; body: string }[] = []
  let sockets = 0
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const { method = '', url = '', rawHeaders: headers } = req
      asked.push({ method, url, headers, body: Buffer.concat(parts).toString() })
      if (answer) answer(req, res)
      else res.end(`hello from ${req.headers.host}`)
    })
  })
  server.on('connection', () => (sockets += 1))
  const port = await portOf(server)
  t.after(() => (server.closeAllConnections(), server.close()))
  return { port, asked, sockets: () => sockets }
}

/** one that speaks TLS, and tells the names it was asked for */
export async function openTlsTarget(t: TestContext, { key, cert }: Identity, take: (socket: TLSSocket) => void) {
  const names: (string | false)[] = []
  let sockets = 0
  const server = createTlsServer({ key: key.export({ type: 'pkcs8', format: 'pem' }), cert }, (socket) => {
    names.push(socket.servername || false)
    socket.on('error', () => {})
    take(socket)
  })
  const open = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => {
    sockets += 1
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('tlsClientError', () => {})
  const port = await portOf(server)
  t.after(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return { port, names, sockets: () => sockets }
}

/** answers each question with the next of these addresses, and stays with the last */
export async function openDns(t: Pick<TestContext, 'after'>, addresses: readonly string[]) {
  const server = createSocket('udp4')
  let asked = 0
  server.on('message', (query, { address, port }) => {
    const end = query.indexOf(0, 12) + 5
    const isA = query.readUInt16BE(end - 4) === 1
    const one = addresses[Math.min(asked, addresses.length - 1)] ?? ''
    if (isA) asked += 1
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(isA ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...one.split('.').map(Number)])
    server.send(Buffer.concat([header, query.subarray(12, end), ...(isA ? [record] : [])]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { at: `127.0.0.1:${server.address().port}`, asked: () => asked }
}
