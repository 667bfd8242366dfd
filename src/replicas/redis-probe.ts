// One look at a Redis or Valkey server, for the doctor: what it says of itself, or why it says nothing. It changes nothing there.
import { addressOf } from './redis-address.ts'
import { createClient } from './redis-client.ts'

const patienceMs = 3_000

/** what it says of itself, by its own names; `reason`, without a password: why it could not be asked */
export interface LookedAtRedis {
  readonly place: string
  readonly reason?: string
  /** undefined where it may not be asked for */
  readonly info?: Readonly<Record<string, string>>
  /** why it does not run the few commands that are done at once */
  readonly noScripts?: string
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
  let said: string | undefined
  client.on('error', (error: Error) => (said ??= words(error)))
  const end = () => client.disconnect()
  signal.addEventListener('abort', end)
  try {
    await client.connect()
    await client.ping()
    const info = await client.info().then(readInfo, () => undefined)
    const noScripts = await client.eval('return 1', 0).then(() => undefined, words)
    return { place, ...(info && { info }), ...(noScripts !== undefined && { noScripts }) }
  } catch (error) {
    // the first that it said, such as that a password is wrong: what follows is only that the connection is closed
    return { place, reason: said ?? words(error) }
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}
