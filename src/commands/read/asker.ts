// The typed client as the command line uses it: exact numbers, waits that are shown, and the connection where the key has
// only one.
import { Vitrine } from '../../../client/vitrine.ts'
import { parseExactly } from '../../exact-numbers.ts'
import { type Caller, nearConnection, onlyConnection } from './caller.ts'
import { Misuse } from './exits.ts'
import type { Failure } from './failure.ts'
import type { Progress } from './progress.ts'

export interface AskerOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
}

const waits: Readonly<Record<number, string>> = { 429: 'too many requests', 503: 'the service asks for it' }

export function openClient(
  { url, key, connection, timeoutMs, insecure }: Caller,
  { signal, progress }: AskerOptions,
): Vitrine {
  const send = globalThis.fetch
  return new Vitrine({
    ...{ url, key, signal, connection, timeoutMs, insecure, parse: parseExactly },
    fetch: async (address, init) => {
      const answer = await send(address, init)
      const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
      const why = waits[answer.status]
      if (why !== undefined && seconds > 0) progress.wait(seconds, why)
      return answer
    },
  })
}

/** bound to the connection that was named, or to the only one of the key */
export async function bindClient(client: Vitrine, { connection }: Caller): Promise<Vitrine> {
  if (connection !== undefined) return client
  const { connections } = await client.whoami()
  // a stranger at the address may answer anything
  if (!Array.isArray(connections))
    throw new Misuse('The service does not say which connections there are: give --connection.')
  return client.connection(onlyConnection(connections))
}

/** where a name was mistyped, the names that the key can read */
export async function hintFor(client: Vitrine, { connection }: Caller, { code }: Failure): Promise<string | undefined> {
  if (code !== 'connection_not_found' || connection === undefined) return undefined
  try {
    return nearConnection(connection, (await client.whoami()).connections)
  } catch {
    return undefined
  }
}
