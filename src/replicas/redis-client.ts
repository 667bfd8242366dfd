// The client that speaks with a Redis, made so that nothing a server says ends this process or fills it: what cannot be
// understood, and what is too much, costs the connection.
import type { Duplex } from 'node:stream'
import { Redis as Client, type RedisOptions } from 'ioredis'
import handling from 'ioredis/built/DataHandler.js'
import type { Address } from './redis-address.ts'

/** of one answer: several times the largest that is put there */
const mostBytes = 16 * 1024 * 1024

/** of an error of the server, its first word; of the network, its code */
export function codeOf(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException
  return name === 'ReplyError' ? (message.split(' ', 1)[0] ?? '').slice(0, 40) : (code ?? 'connection_closed')
}

interface Handler {
  readonly redis: { readonly stream: Duplex }
  dispatch(act: () => void): void
}

/** by their streams: bytes that are no answer yet */
const unread = new WeakMap<Duplex, number>()

// By itself it throws to the process where an answer is of a kind that it does not expect, such as nil to a subscription, or
// is the answer to nothing. From then on nobody knows which answer is whose.
;(handling.default.prototype as unknown as Handler).dispatch = function dispatch(act) {
  const { stream } = this.redis
  unread.set(stream, 0)
  try {
    if (!stream.destroyed) act()
  } catch (error) {
    stream.destroy(error as Error)
  }
}

type Options = RedisOptions & { replyMapping?: 'legacy' }

export function createClient({ host, port, username, password, db, tls }: Address, options: Options): Client {
  const where = {
    host,
    port,
    db,
    ...(username && { username }),
    ...(password && { password }),
    ...(tls && { tls: {} }),
  }
  const client = new Client({ ...where, ...options })
  client.on('connect', () => {
    const { stream } = client as unknown as Handler['redis']
    stream.on('data', (piece: Buffer) => {
      const bytes = (unread.get(stream) ?? 0) + piece.length
      unread.set(stream, bytes)
      if (bytes > mostBytes) stream.destroy(new Error('its answer is too large'))
    })
  })
  return client
}

const standing = {
  // whoever asks while it is away is told so at once, and what was asked is never asked a second time
  ...{ enableOfflineQueue: false, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false },
  // whether it can be used is found out by a write, also while it loads: another server may be at that address by then
  ...{ connectTimeout: 1_000, disconnectTimeout: 100, keepAlive: 10_000, enableReadyCheck: false, lazyConnect: true },
  retryStrategy: (times: number) => Math.min(2_000, 50 * 2 ** Math.min(times, 6)),
}

export const openClient = (address: Address): Client => createClient(address, standing)

/** its subscriptions are its own to make again, at each `ready` */
export function listenAt(address: Address): Client {
  const client = createClient(address, { ...standing, autoResubscribe: false })
  client.setMaxListeners(0).on('error', () => undefined)
  client.connect().catch(() => undefined)
  return client
}

export type { Client }
