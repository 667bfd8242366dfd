// One connection of the gateway: first its proof of who it is, then at most four channels, until its session ends.
import type { Socket } from 'node:net'
import ssh2, { type AuthContext, type Connection } from 'ssh2'
import type { ApiKeys } from '../accounts/api-keys.ts'
import type { KeyHolders } from '../accounts/key-holders.ts'
import type { Counter } from '../api/counters.ts'
import type { Containers } from '../containers/containers.ts'
import type { Observe } from '../events.ts'
import type { KillReason } from '../exec/command.ts'
import type { Commands } from '../exec/commands.ts'
import type { Limits } from '../settings.ts'
import type { SshSessionRecord } from '../store/ssh-session-rows.ts'
import { findSession, isProven } from './authentication.ts'
import { SshChannel } from './channel.ts'
import type { HostKey } from './host-key.ts'
import type { SshSessions } from './sessions.ts'

const authenticationMs = 10_000
const mostAttempts = 6
const mostChannels = 4
/** of one session, so that it leaves room for others */
const mostConnections = 16
const keepaliveMs = 15_000
const keepaliveMost = 3
const farewellMs = 1_000
/** beyond this a client sends without regard for its windows, or reads nothing */
const mostWaitingBytes = 8 * 1_048_576
/** of what the library writes: answers to a client that does not read them are small, and many */
const mostWaitingPieces = 8_192
const methods = ['publickey'] as const

/** no SHA-1, no compression, and no group of the client's choice, whose arithmetic would be ours */
const algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes256-ctr', 'aes128-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} satisfies ssh2.Algorithms

export interface ConnectionParts {
  readonly hostKey: HostKey
  readonly sessions: Pick<SshSessions, 'find'>
  readonly keys: Pick<ApiKeys, 'livingOf'>
  readonly keyHolders: Pick<KeyHolders, 'hold'>
  readonly containers: Pick<Containers, 'running' | 'refresh' | 'work'>
  readonly commands: Pick<Commands, 'start'>
  readonly counter: Counter
  readonly limits: Limits
  readonly observe: Observe
  readonly now: () => number
}

/** Returns a function that says how many writes of the socket wait. Nobody gives `write` a callback of their own. */
function countWrites(socket: Socket): () => number {
  let waiting = 0
  const write = socket.write.bind(socket) as (data: Uint8Array, done: () => void) => boolean
  const done = () => void (waiting -= 1)
  socket.write = (data: Uint8Array) => {
    waiting += 1
    return write(data, done)
  }
  return () => waiting
}

export class SshConnection {
  readonly #socket: Socket
  readonly #waitingWrites: () => number
  readonly #parts: ConnectionParts
  readonly #opened: () => void
  readonly #channels = new Set<SshChannel>()
  readonly #commandsEnded = new Set<Promise<void>>()
  #releases: (() => void)[] = []
  #client: Connection | undefined
  #session: SshSessionRecord | undefined
  #attempts = 0
  #isEnded = false

  /** `opened` is called once the client has proven who it is */
  constructor(socket: Socket, parts: ConnectionParts, opened: () => void) {
    this.#socket = socket
    this.#waitingWrites = countWrites(socket)
    this.#parts = parts
    this.#opened = opened
    const late = setTimeout(() => this.#session ?? socket.destroy(), authenticationMs)
    socket.once('close', () => {
      clearTimeout(late)
      this.end('caller_gone')
    })
    // a server for each socket: the library does not say which socket a client is on
    const server = new ssh2.Server(
      {
        hostKeys: [parts.hostKey.privateKey],
        ident: 'Atelier',
        algorithms,
        keepaliveInterval: keepaliveMs,
        keepaliveCountMax: keepaliveMost,
      },
      (client, { header }) => this.#meet(client, header.versions.software),
    )
    server.injectSocket(socket)
    socket.on('data', () => this.#checkWaiting())
  }

  /** settles when no command of it is left */
  async ended() {
    await Promise.allSettled(this.#commandsEnded)
  }

  end(reason: KillReason) {
    if (this.#isEnded) return
    this.#isEnded = true
    for (const channel of this.#channels) channel.end(reason)
    this.#client?.end()
    if (this.#client && !this.#socket.destroyed) setTimeout(() => this.#socket.destroy(), farewellMs).unref()
    else this.#socket.destroy()
    for (const release of this.#releases) release()
    if (this.#session) this.#parts.observe({ kind: 'ssh_closed', sessionId: this.#session.id })
  }

  #meet(client: Connection, software: string) {
    this.#client = client
    // what it says may hold what the client sent
    client.on('error', () => this.#socket.destroy())
    client.on('authentication', (context) => {
      this.#attempts += 1
      const cut = () => void this.#socket.destroy()
      if (this.#isEnded || this.#attempts > mostAttempts) cut()
      else this.#authenticate(context).catch(cut)
    })
    client.on('session', (accept, reject) => {
      if (this.#isEnded || !this.#session || this.#channels.size >= mostChannels) return reject()
      const channel: SshChannel = new SshChannel(
        accept(),
        { ...this.#parts, socket: this.#socket, session: this.#session, software },
        () => this.#forget(channel),
      )
      this.#channels.add(channel)
    })
  }

  #forget(channel: SshChannel) {
    this.#channels.delete(channel)
    const { ended } = channel
    this.#commandsEnded.add(ended)
    void ended.finally(() => this.#commandsEnded.delete(ended))
  }

  async #authenticate(context: AuthContext) {
    if (context.method !== 'publickey') return context.reject([...methods])
    const session = await findSession(context, (id) => this.#parts.sessions.find(id))
    if (!session) return context.reject([...methods])
    // the client asks which of its keys to use
    if (!context.signature) return context.accept()
    if (!isProven(context, session) || !(await this.#open(session))) return context.reject([...methods])
    context.accept()
    this.#opened()
    this.#parts.observe({
      kind: 'ssh_opened',
      sessionId: session.id,
      containerId: session.container,
      keyId: session.keyId,
      from: this.#socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'unknown',
    })
  }

  /** First holds what may end the session, then looks whether it has ended: no end is missed in between. */
  async #open(session: SshSessionRecord): Promise<boolean> {
    const { containers, counter, keyHolders, keys, now } = this.#parts
    const { id, container, account, keyId, endsAt } = session
    if (counter.countOf(`ssh ${id}`) >= mostConnections) return false
    const late = setTimeout(() => this.end('caller_gone'), endsAt - now())
    const releases = [
      counter.take(`ssh ${id}`, mostConnections, 'ssh_limit'),
      () => clearTimeout(late),
      containers.work.begin(container, () => this.end('container_ended')),
      keyHolders.hold(keyId, () => this.end('key_ended')),
    ]
    this.#releases.push(...releases)
    const isLiving = await Promise.all([keys.livingOf([keyId]), containers.running(account, container)]).then(
      ([living]) => living.has(keyId),
      () => false,
    )
    if (isLiving && !this.#isEnded) {
      this.#session = session
      return true
    }
    for (const release of releases) release()
    return false
  }

  /** the library takes what a client sends beyond its windows, and answers whether its answers are read or not */
  #checkWaiting() {
    let bytes = this.#socket.writableLength
    for (const { waitingBytes } of this.#channels) bytes = Math.max(bytes, waitingBytes)
    if (bytes > mostWaitingBytes || this.#waitingWrites() > mostWaitingPieces) this.#socket.destroy()
  }
}
