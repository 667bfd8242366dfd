// One look at a Redis or Valkey server, for the doctor: what it says of itself, or why it says nothing. It leaves nothing there
// but a key of its own that is gone within a second.
import { addressOf } from './redis-address.ts'
import { codeOf, createClient } from './redis-client.ts'
import { prove } from './redis-proof.ts'
import { evaluate } from './redis.ts'
import type { Script } from './script.ts'

const patienceMs = 3_000

/** what it says of itself, by its own names; `reason`, without a password: why it could not be asked */
export interface LookedAtRedis {
  readonly place: string
  /** of the error that is its reason, or its refusal */
  readonly code?: string
  readonly reason?: string
  /** undefined where it may not be asked for */
  readonly info?: Readonly<Record<string, string>>
  /** why it does not do what replicas ask of it: it runs no scripts, or takes no writes */
  readonly refusal?: string
}

/** `name:value` a line */
const readInfo = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+):([^\r\n]*)/gm)].map(([, name = '', value = '']) => [name, value]))

export async function lookAtRedis(url: string, signal: AbortSignal): Promise<LookedAtRedis> {
  const address = addressOf(url)
  const { place, words } = address
  const client = createClient(address, {
    ...{ lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0, enableReadyCheck: false },
    ...{ connectTimeout: patienceMs, commandTimeout: patienceMs },
  })
  let said: Error | undefined
  client.on('error', (error: Error) => (said ??= error))
  const parts = {
    ping: () => client.ping(),
    set: (name: string) => client.set(name, '1', 'PX', 1_000),
    run: (what: Script, names: readonly string[]) => evaluate(client, what, names, []),
  }
  const end = () => client.disconnect()
  signal.addEventListener('abort', end)
  try {
    await client.connect()
    await client.ping()
    const info = await client.info().then(readInfo, () => undefined)
    // by a name that no installation has
    const refused = await prove(parts, 'vitrine:doctor:proof').then(
      () => undefined,
      (error: Error) => error,
    )
    return { place, ...(info && { info }), ...(refused && { refusal: words(refused), code: codeOf(refused) }) }
  } catch (error) {
    // the first that it said, such as that a password is wrong: what follows is only that the connection is closed
    const first = said ?? error
    return { place, reason: words(first), code: codeOf(first) }
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}
