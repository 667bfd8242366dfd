// The proxy that programs in containers are given: requests with a whole URL, and CONNECT. It runs on streams, and listens nowhere.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Observe } from '../events.ts'
import type { Connect, Destination } from './destination.ts'
import { passRequest, refuseRequest } from './pass-request.ts'
import type { ConnectionCount } from './connection-count.ts'
import type { EgressOutcome } from './outcomes.ts'
import { answerOf, codeOf, EgressRefusal, type RefusalCode } from './refusal.ts'
import { checkDestination, connectTarget, type Permit, plainTarget } from './target.ts'
import { awaitHello, join, refuseHello } from './tunnel.ts'

export interface ProxyClient {
  readonly account: string
  readonly permit: Permit
}

export interface ProxyParts {
  readonly connect: Connect
  readonly connections: ConnectionCount
  readonly observe: Observe
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'

export function createProxy({ connect, connections, observe }: ProxyParts) {
  const clients = new WeakMap<Duplex, ProxyClient>()
  const open = new Set<Socket>()
  const note = (outcome: EgressOutcome) => observe({ kind: 'egress_connected', outcome })

  async function reach(to: Destination, { account, permit }: ProxyClient): Promise<Socket> {
    const checked = checkDestination(to, permit)
    const release = connections.take(account)
    if (!release) throw new EgressRefusal('full')
    try {
      const socket = await connect(checked)
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

  async function forward(from: IncomingMessage, answer: ServerResponse, client: ProxyClient) {
    const { to, path } = plainTarget(from)
    const socket = await reach(to, client)
    note('forwarded')
    const host = to.port === 80 ? to.host : `${to.host}:${to.port}`
    await passRequest({ from, answer, path, host, over: { socket } })
    socket.destroy()
  }

  async function tunnel(from: IncomingMessage, program: Duplex, head: Buffer, client: ProxyClient) {
    const to = connectTarget(from)
    const socket = await reach(to, client)
    program.once('close', () => socket.destroy())
    program.write(established)
    const hello = await awaitHello(program, head)
    if (!hello) return void program.destroy()
    if (typeof hello.found === 'string' || hello.found.name !== to.host) {
      note('name_differs')
      socket.destroy()
      return refuseHello(program)
    }
    note('tunneled')
    await join(program, socket, hello.bytes)
  }

  const told = (error: unknown): RefusalCode => {
    const code = codeOf(error)
    note(code)
    return code
  }

  const server = createServer((from, answer) => {
    const client = clients.get(from.socket)
    if (client) forward(from, answer, client).catch((error: unknown) => refuseRequest(answer, told(error)))
    else answer.destroy()
  })
  server.on('connect', (from: IncomingMessage, program: Duplex, head: Buffer) => {
    const client = clients.get(program)
    if (client) tunnel(from, program, head, client).catch((error: unknown) => refuseConnect(program, told(error)))
    else program.destroy()
  })
  server.on('clientError', (_, program: Duplex) => refuseConnect(program, told(new EgressRefusal('bad_request'))))

  return {
    /** a connection of a program in a container */
    serve(program: Duplex, client: ProxyClient) {
      clients.set(program, client)
      program.on('error', () => {})
      server.emit('connection', program)
    },
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}

function refuseConnect(program: Duplex, code: RefusalCode) {
  const { status, headers, body } = answerOf(code)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (program.writable) program.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`)
}

export type Proxy = ReturnType<typeof createProxy>
