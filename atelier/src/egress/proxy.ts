// The proxy that programs in containers are given: requests with a whole URL, and CONNECT. It runs on streams, and listens nowhere.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Destination } from './destination.ts'
import { passRequest, refuseRequest } from './pass-request.ts'
import { createAuthorities, createIntercept, secureHost } from './intercept.ts'
import type { EgressOutcome } from './outcomes.ts'
import { RequestGate } from './request-gate.ts'
import { answerOf, codeOf, EgressRefusal, type RefusalCode } from './refusal.ts'
import { createReach, type ReachClient, type ReachParts } from './reach.ts'
import { connectTarget, plainTarget } from './target.ts'
import { awaitHello, join, refuseHello } from './tunnel.ts'
import type { Vault } from './vault.ts'

export interface ProxyClient extends ReachClient {
  /** hosts whose TLS ends here */
  readonly secretHosts: readonly string[]
  /** undefined: there are no secrets, or they were lost */
  readonly vault: Vault | undefined
}

export interface ProxyParts extends ReachParts {
  /** certificates that hosts are checked with */
  readonly roots: readonly string[]
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** undefined: TLS ends in the container */
function vaultFor({ host }: Destination, { secretHosts, vault }: ProxyClient): Vault | undefined {
  if (!secretHosts.includes(host)) return undefined
  if (!vault) throw new EgressRefusal('secrets_lost')
  return vault
}

async function passOver(socket: Socket, from: IncomingMessage, answer: ServerResponse, to: Destination, path: string) {
  const host = to.port === 80 ? to.host : `${to.host}:${to.port}`
  try {
    await passRequest({ from, answer, path, host, over: { socket } })
  } finally {
    socket.destroy()
  }
}

export function createProxy({ connect, connections, roots, observe }: ProxyParts) {
  const clients = new WeakMap<Duplex, ProxyClient & { readonly gate: RequestGate }>()
  const note = (outcome: EgressOutcome) => observe({ kind: 'egress_connected', outcome })
  const intercept = createIntercept(note)
  const authorities = createAuthorities(roots)
  const { reach, closeAll } = createReach({ connect, connections, observe })

  async function tunnel(from: IncomingMessage, program: Duplex, head: Buffer, client: ProxyClient) {
    const to = connectTarget(from)
    const vault = vaultFor(to, client)
    const gone = new AbortController()
    program.once('close', () => gone.abort())
    const socket = await reach(to, client, gone.signal)
    const secure = vault && (await secureHost(socket, to, authorities, gone.signal))
    // it may have gone meanwhile
    if (program.destroyed) return void socket.destroy()
    program.once('close', () => socket.destroy())
    program.write(established)
    const hello = await awaitHello(program, head)
    const isHost = typeof hello?.found === 'object' && hello.found.name === to.host
    if (!hello || !isHost) {
      if (hello) note('name_differs')
      socket.destroy()
      return refuseHello(program)
    }
    if (vault && secure) {
      program.unshift(hello.bytes)
      return intercept(program, secure, to, vault)
    }
    note('tunneled')
    await join(program, socket, hello.bytes)
  }

  const noted = (error: unknown): RefusalCode => {
    const code = codeOf(error)
    note(code)
    return code
  }

  async function forward(from: IncomingMessage, answer: ServerResponse, client: ProxyClient, signal: AbortSignal) {
    try {
      const { to, path } = plainTarget(from)
      const socket = await reach(to, client, signal)
      note('forwarded')
      await passOver(socket, from, answer, to, path)
    } catch (error) {
      refuseRequest(answer, noted(error))
    }
  }

  const server = createServer((from, answer) => {
    const client = clients.get(from.socket)
    if (client) client.gate.enter(answer, () => void forward(from, answer, client, client.gate.signal))
    else answer.destroy()
  })
  server.on('connect', (from: IncomingMessage, through: Duplex, first: Buffer) => {
    const client = clients.get(through)
    const released = client?.gate.release(first)
    if (client && released) {
      const { source, head } = released
      tunnel(from, source, head, client).catch((error: unknown) => refuseConnect(source, noted(error)))
    } else through.destroy()
  })
  server.on('clientError', (_, program: Duplex) => refuseConnect(program, noted(new EgressRefusal('bad_request'))))

  return {
    /** a connection of a program in a container */
    serve(program: Duplex, client: ProxyClient) {
      const gate = new RequestGate(program)
      clients.set(gate, { ...client, gate })
      program.on('error', () => {})
      server.emit('connection', gate)
    },
    close: closeAll,
  }
}

function refuseConnect(program: Duplex, code: RefusalCode) {
  const { status, headers, body } = answerOf(code)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (program.writable) program.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`)
}

export type Proxy = ReturnType<typeof createProxy>
