// What replicas share in Redis or Valkey. No caller waits long for it: without an answer in time the caller goes on alone, so
// that no failure of Redis becomes one of the service.
import type { Observe } from '../core/events.ts'
import { type RedisAddress, redisAddress } from './redis-address.ts'
import { openRedisClient, type RedisClient } from './redis-client.ts'
import type { RedisValue } from './redis-protocol.ts'
import { createRedisLink } from './redis-link.ts'
import { checkWritable } from './redis-write-check.ts'
import type { Script } from './script.ts'

export type Redis = Awaited<ReturnType<typeof openRedis>>

export interface RedisSetup {
  readonly url: string
  /** what key names begin with: the same for the replicas of one installation, and for no other */
  readonly prefix: readonly string[]
  readonly observe: Observe
  readonly steady: () => number
}

function createSubscriptions(address: RedisAddress, refused: (error: Error) => void) {
  let client: RedisClient | undefined
  return {
    listen: (channel: string, heard: (message: Buffer) => void) => {
      const one = client ?? openRedisClient(address)
      one.on('message', (from, message) => {
        if (from === channel) heard(message)
      })
      const subscribe = () => void one.subscribe(channel).catch(refused)
      one.on('ready', subscribe)
      if (one.isReady) subscribe()
      if (!client) one.connect().catch(() => undefined)
      client = one
    },
    /** messages may be published at another server by now, though this connection stays open */
    renew: () => void (client?.isReady && client.disconnect(true)),
    close: () => client?.disconnect(),
  }
}

/** No question rejects. null: nil; undefined: no answer in time, or Redis is down. */
export async function openRedis({ url, prefix, observe, steady }: RedisSetup) {
  const address = redisAddress(url)
  const client = openRedisClient(address)
  const refused = (error: Error) => {
    if (error.name === 'ReplyError')
      observe({ kind: 'redis_refused', place: address.place, reason: address.words(error) })
  }
  const subscriptions = createSubscriptions(address, refused)
  const start = prefix.join(':')
  const name = (...parts: readonly string[]): string => `${start}:${parts.join(':')}`
  const link = createRedisLink({
    client,
    ...address,
    observe,
    steady,
    prove: () => checkWritable(client, name('proof')),
    renewed: subscriptions.renew,
  })
  await link.open()
  return {
    /** the full name of a key: installations may share a server */
    name,
    ask: (command: string, ...values: readonly RedisValue[]) => link.ask(() => client.call(command, ...values)),
    askBytes: (command: string, ...values: readonly RedisValue[]) =>
      link.ask(() => client.callBuffer(command, ...values)),
    run: (what: Script, names: readonly string[], values: readonly RedisValue[]) =>
      link.ask(() => client.run(what, names, values)),
    /** on a separate connection; messages while that is broken are missed */
    listen: subscriptions.listen,
    isUp: () => link.state().up,
    state: () => link.state(),
    /** called each time that it answers again after an outage */
    whenBack: link.whenBack,
    async close() {
      link.close()
      subscriptions.close()
    },
  }
}
