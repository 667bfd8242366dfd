// A Redis client with one connection, which reconnects. A malformed or oversized reply closes the connection; a command
// is never sent twice.
import { EventEmitter } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import type { RedisAddress } from './redis-address.ts'
import { encodeCommand, type RedisValue, type Reply, ReplyError, ReplyParser, textOf } from './redis-protocol.ts'
import type { Script } from './script.ts'

const [keepAliveMs, endMs] = [10_000, 100]

/** random, so that replicas do not reconnect all at once */
const retryAfterMs = (tries: number): number =>
  Math.min(2_000, 50 * 2 ** Math.min(tries, 6)) * (0.5 + Math.random() / 2)

/** the server's error code, or the network's */
export function redisErrorCode(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException
  return name === 'ReplyError' ? (message.split(' ', 1)[0] ?? '').slice(0, 40) : (code ?? 'connection_closed')
}

/** All sockets read into it: a buffer for each read is 64 KiB that V8 counts as old memory. */
const shared = Buffer.allocUnsafeSlow(64 * 1024)

/** the caller adds listeners as soon as it connects: an unreachable network is an error event at once */
async function prepareConnect({ host, port, tls }: RedisAddress, hear: (piece: Buffer) => void): Promise<() => Socket> {
  const onread = {
    buffer: shared,
    callback(size: number): boolean {
      hear(shared.subarray(0, size))
      return true
    },
  }
  const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs, onread }
  if (!tls) return () => connect(options)
  const { connect: connectTls } = await import('node:tls')
  return () => connectTls({ ...options, ...(isIP(host) === 0 && { servername: host }) })
}

export interface RedisClientOptions {
  readonly connectMs: number
  readonly reconnects: boolean
}

interface RedisClientEvents {
  ready: []
  close: []
  error: [Error]
  message: [channel: string, message: Buffer]
}

export class RedisClient extends EventEmitter<RedisClientEvents> {
  readonly #address: RedisAddress
  readonly #options: RedisClientOptions
  #socket: Socket | undefined
  #pending: PromiseWithResolvers<Reply>[] = []
  /** the commands of this turn of the event loop, which leave in one write */
  readonly #unsent: (Buffer | string)[] = []
  #isReady = false
  #isSubscriber = false
  #isEnded = false
  #tries = 0
  #timer: NodeJS.Timeout | undefined

  constructor(address: RedisAddress, options: RedisClientOptions) {
    super()
    this.#address = address
    this.#options = options
    // an error event without a listener would end the process
    this.setMaxListeners(0).on('error', () => undefined)
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** rejects if the first try fails; it goes on trying */
  connect(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let why = new Error('Connection is closed.')
    const failed = (error: Error) => (why = error)
    this.once('error', failed)
    const closed = () => reject(why)
    this.once('close', closed)
    this.once('ready', () => {
      this.off('error', failed).off('close', closed)
      resolve()
    })
    void this.#open()
    return promise
  }

  async call(...values: readonly RedisValue[]): Promise<unknown> {
    return textOf(await this.#ask(values))
  }

  callBuffer(...values: readonly RedisValue[]): Promise<Reply> {
    return this.#ask(values)
  }

  async run({ text, sha }: Script, names: readonly string[], values: readonly RedisValue[]): Promise<unknown> {
    const rest = [names.length, ...names, ...values]
    try {
      return textOf(await this.#ask(['EVALSHA', sha, ...rest]))
    } catch (error) {
      // the server restarted, or its script cache was emptied
      if (redisErrorCode(error) !== 'NOSCRIPT') throw error
      return textOf(await this.#ask(['EVAL', text, ...rest]))
    }
  }

  /** from now on this connection only receives messages */
  subscribe(channel: string): Promise<unknown> {
    this.#isSubscriber = true
    return this.callBuffer('SUBSCRIBE', channel)
  }

  disconnect(again = false) {
    this.#isReady = false
    if (!again) {
      this.#isEnded = true
      clearTimeout(this.#timer)
    }
    this.#flush()
    const socket = this.#socket?.end()
    if (!socket) return
    // Without a reset, what the network held up may arrive after the commands of the next connection: a reservation after its
    // release. A TLS socket cannot be reset.
    const drop = () => (again && !this.#address.tls ? socket.resetAndDestroy() : socket.destroy())
    setTimeout(drop, endMs).unref()
  }

  async #open() {
    const parser = new ReplyParser((reply) => this.#take(reply))
    const connectSocket = await prepareConnect(this.#address, (piece) => {
      try {
        if (!socket.destroyed) parser.write(piece)
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
    if (this.#isEnded) return this.#closed()
    const socket = connectSocket()
    this.#socket = socket
    this.#isSubscriber = false
    const overdue = () => socket.destroy(Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }))
    const late = setTimeout(overdue, this.#options.connectMs)
    socket.once(this.#address.tls ? 'secureConnect' : 'connect', () => void this.#begin(socket, late))
    socket.on('error', (error) => this.emit('error', error))
    socket.once('close', () => {
      clearTimeout(late)
      this.#closed()
    })
    return undefined
  }

  /** signing in counts towards the connect timeout */
  async #begin(socket: Socket, late: NodeJS.Timeout) {
    const { username, password, db } = this.#address
    try {
      if (password !== '') await this.#signIn(username === '' ? [password] : [username, password])
      if (db > 0) await this.#send(['SELECT', db])
    } catch (error) {
      socket.destroy(error as Error)
      return
    }
    clearTimeout(late)
    if (socket.destroyed || socket.writableEnded) return
    this.#isReady = true
    this.emit('ready')
  }

  /** a server without a password refuses AUTH with a plain ERR, and is used as it is */
  async #signIn(words: readonly string[]) {
    try {
      await this.#send(['AUTH', ...words])
    } catch (error) {
      if (redisErrorCode(error) !== 'ERR') throw error
    }
  }

  #ask(values: readonly RedisValue[]): Promise<Reply> {
    return this.#isReady ? this.#send(values) : Promise.reject(new Error('Connection is closed.'))
  }

  #send(values: readonly RedisValue[]): Promise<Reply> {
    const pending = Promise.withResolvers<Reply>()
    this.#pending.push(pending)
    if (this.#unsent.push(encodeCommand(values)) === 1) setImmediate(() => this.#flush())
    return pending.promise
  }

  #flush() {
    const [socket, commands] = [this.#socket, this.#unsent.splice(0)]
    if (!socket || commands.length === 0) return
    // Node.js copies a list of texts piece by piece, which costs more than to write one
    const isText = commands.every((command) => typeof command === 'string')
    socket.cork()
    for (const command of isText ? [commands.join('')] : commands) socket.write(command)
    socket.uncork()
  }

  #take(reply: Reply) {
    const [kind, channel, message] = this.#isSubscriber && Array.isArray(reply) ? (reply as readonly Reply[]) : []
    if (String(kind) === 'message') {
      if (!Buffer.isBuffer(channel) || !Buffer.isBuffer(message)) throw new Error('a message is not of text')
      this.emit('message', channel.toString(), message)
      return
    }
    const first = this.#pending.shift()
    if (reply instanceof ReplyError) {
      // before any command: why a server takes no more connections
      if (!first) throw reply
      return first.reject(reply)
    }
    if (!first) throw new Error('an answer that was not asked for')
    // not at ready: a proxy whose server is down accepts connections, and closes them
    this.#tries = 0
    return first.resolve(reply)
  }

  #closed() {
    this.#socket = undefined
    this.#isReady = false
    this.#unsent.length = 0
    for (const one of this.#pending.splice(0)) one.reject(new Error('Connection is closed.'))
    this.emit('close')
    this.#plan()
  }

  #plan() {
    clearTimeout(this.#timer)
    if (this.#isEnded || !this.#options.reconnects) return
    this.#timer = setTimeout(() => void this.#open(), retryAfterMs(++this.#tries))
  }
}

export const openRedisClient = (address: RedisAddress): RedisClient =>
  new RedisClient(address, { connectMs: 1_000, reconnects: true })
