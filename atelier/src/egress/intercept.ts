// TLS that ends in the proxy, for hosts that have a secret: towards the program with a certificate of its container's authority,
// towards the host with the usual checks. Each connection of a program has one connection to the host.
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { Destination } from './destination.ts'
import { passRequest, refuseRequest } from './pass-request.ts'
import { codeOf, EgressRefusal, type RefusalCode } from './refusal.ts'
import { RequestGate } from './request-gate.ts'
import { replaceSecrets } from './replace-secrets.ts'
import { checkHost } from './target.ts'
import type { Vault } from './vault.ts'

const handshakeMs = 10_000
const protocols = ['http/1.1']

/** made once: to read all certificates takes milliseconds and a MiB, which no container may cause over and over */
export const createAuthorities = (roots: readonly string[]): SecureContext =>
  createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' })

/** the host proves who it is before anything is sent to it */
export async function secureHost(
  socket: Socket,
  { host }: Destination,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    servername: host,
    ALPNProtocols: protocols,
    secureContext,
  })
  const leave = () => void secure.destroy()
  const late = setTimeout(leave, handshakeMs)
  signal.addEventListener('abort', leave)
  const isProved = await new Promise<boolean>((ok) => {
    secure.once('secureConnect', () => ok(true))
    secure.once('close', () => ok(false))
    secure.on('error', () => {})
  })
  clearTimeout(late)
  signal.removeEventListener('abort', leave)
  if (isProved) return secure
  socket.destroy()
  throw new EgressRefusal('not_proved')
}

/** one connection that is there; there is never a second one */
class OneConnection extends Agent {
  #socket: Duplex | undefined

  constructor(socket: Duplex) {
    super({ keepAlive: true, maxSockets: 1 })
    this.#socket = socket
  }

  override createConnection(_: object, done?: (error: Error | null, socket: Duplex) => void): Duplex | undefined {
    const socket = this.#socket
    this.#socket = undefined
    if (socket && !socket.destroyed) return socket
    done?.(new EgressRefusal('broken'), undefined as unknown as Duplex)
    return undefined
  }
}

interface Session {
  readonly to: Destination
  readonly vault: Vault
  readonly agent: Agent
  readonly gate: RequestGate
}

export type NoteRequest = (outcome: 'intercepted' | 'secret_sent' | RefusalCode) => void

export function createIntercept(note: NoteRequest) {
  const sessions = new WeakMap<Duplex, Session>()

  async function pass(from: IncomingMessage, answer: ServerResponse, { to, vault, agent }: Session) {
    const { url: path = '' } = from
    if (!path.startsWith('/')) throw new EgressRefusal('bad_request')
    checkHost(from, to, 443)
    const { headers, isUsed, codedForms } = replaceSecrets(from.rawHeaders, vault.of(to.host))
    note(isUsed ? 'secret_sent' : 'intercepted')
    const host = to.port === 443 ? to.host : `${to.host}:${to.port}`
    const cover = vault.coverFor(to.host, codedForms)
    await passRequest({ from, answer, path, host, over: { agent }, headers, cover })
  }

  async function passOrRefuse(from: IncomingMessage, answer: ServerResponse, session: Session) {
    try {
      await pass(from, answer, session)
    } catch (error) {
      const code = codeOf(error)
      note(code)
      refuseRequest(answer, code)
    }
  }

  const server = createServer((from, answer) => {
    const session = sessions.get(from.socket)
    if (session) session.gate.enter(answer, () => void passOrRefuse(from, answer, session))
    else answer.destroy()
  })
  server.on('clientError', (_, program: Duplex) => program.destroy())

  return (program: Duplex, host: TLSSocket, to: Destination, vault: Vault) => {
    const inner = new TLSSocket(program, {
      isServer: true,
      secureContext: vault.contextOf(to.host),
      ALPNProtocols: protocols,
    })
    const agent = new OneConnection(host)
    const gate = new RequestGate(inner)
    sessions.set(gate, { to, vault, agent, gate })
    gate.once('finish', () => gate.destroy())
    inner.on('error', () => program.destroy())
    inner.once('close', () => {
      agent.destroy()
      host.destroy()
      program.destroy()
    })
    host.once('close', () => inner.end())
    server.emit('connection', gate)
  }
}
