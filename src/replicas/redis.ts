// What replicas keep in common, in Redis or Valkey, and a rule: nobody waits for it longer than a blink. What is not heard in
// time is not known, and whoever asked goes on alone; so no failure of it is a failure of ours.
import type { Observe } from '../observe.ts'
import { type Address, addressOf } from './redis-address.ts'
import { type Client, codeOf, listenAt, openClient } from './redis-client.ts'
import { createLink, type RedisState } from './redis-link.ts'
import { prove } from './redis-proof.ts'
import type { Script } from './script.ts'

export type Value = string | number | Buffer

/** nil is null; `undefined` says that nothing was heard in time, or that it is away: nothing here rejects */
export interface Redis {
  ask(command: string, ...values: readonly Value[]): Promise<unknown>
  /** the same, with bytes for an answer */
  askBytes(command: string, ...values: readonly Value[]): Promise<unknown>
  /** `names` are whole names of keys, as `name` makes them */
  run(what: Script, names: readonly string[], values: readonly Value[]): Promise<unknown>
  /** the whole name of a key: installations may share a server */
  name(...parts: readonly string[]): string
  /** hears what is published there, on a connection of its own; what is said while that is broken is missed */
  listen(channel: string, heard: (message: Buffer) => void): void
  isUp(): boolean
  state(): RedisState
  close(): Promise<void>
}

export interface RedisOptionsOfOurs {
  readonly url: string
  /** what the names of keys begin with: the same for all replicas of an installation, and for nobody else */
  readonly installation: string
  readonly observe: Observe
  readonly steady: () => number
}

export async function evaluate(
  client: Client,
  { text, sha }: Script,
  names: readonly string[],
  values: readonly Value[],
) {
  const rest = [names.length, ...names, ...values] as const
  try {
    return await client.evalsha(sha, ...(rest as [number, ...string[]]))
  } catch (error) {
    // it was started anew, or its memory of scripts was emptied
    if (codeOf(error) !== 'NOSCRIPT') throw error
    return client.eval(text, ...(rest as [number, ...string[]]))
  }
}

interface EarsOptions {
  readonly address: Address
  readonly refused: (error: Error) => void
}

/** one connection for all that is listened to, made for the first of it */
function createEars({ address, refused }: EarsOptions) {
  let client: Client | undefined
  return {
    listen(channel: string, heard: (message: Buffer) => void) {
      client ??= listenAt(address)
      const one = client
      one.on('messageBuffer', (from: Buffer, message: Buffer) => {
        if (from.toString() === channel) heard(message)
      })
      // by itself it would do so at each new connection, and end the process where that breaks at once
      const subscribe = () => void one.subscribe(channel).catch(refused)
      one.on('ready', subscribe)
      if (one.status === 'ready') subscribe()
    },
    /** what is said may be said at another server by now, though this connection stays open */
    renew: () => void (client?.status === 'ready' && client.disconnect(true)),
    close: () => client?.disconnect(),
  }
}

export async function openRedis({ url, installation, observe, steady }: RedisOptionsOfOurs): Promise<Redis> {
  const address = addressOf(url)
  const client = openClient(address)
  const refused = (error: Error) => {
    if (error.name === 'ReplyError')
      observe({ kind: 'redis_refused', place: address.place, reason: address.words(error) })
  }
  const ears = createEars({ address, refused })
  const name: Redis['name'] = (...parts) => ['vitrine', installation, ...parts].join(':')
  const proof = {
    ping: () => client.ping(),
    set: (key: string) => client.set(key, '1', 'PX', 1_000),
    run: (what: Script, names: readonly string[]) => evaluate(client, what, names, []),
  }
  const link = createLink({
    ...{ client, ...address, observe, steady },
    prove: () => prove(proof, name('proof')),
    renewed: ears.renew,
  })
  await link.open()
  return {
    name,
    ask: (command, ...values) => link.ask(() => client.call(command, ...values)),
    askBytes: (command, ...values) => link.ask(() => client.callBuffer(command, ...values)),
    run: (what, names, values) => link.ask(() => evaluate(client, what, names, values)),
    listen: (channel, heard) => ears.listen(channel, heard),
    isUp: () => link.state().up,
    state: () => link.state(),
    async close() {
      link.close()
      ears.close()
    },
  }
}
