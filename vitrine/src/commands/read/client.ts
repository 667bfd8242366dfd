// The typed client for the command line: exact numbers, visible waits, and the key's only connection by default.
import { Vitrine } from '../../../client/vitrine.ts'
import { parseExactly } from '../../../../base/core/exact-numbers.ts'
import { type ClientTarget, connectionHint, onlyConnection } from './client-options.ts'
import { UsageError } from './exits.ts'
import type { ReadFailure } from './failure.ts'
import type { ReadProgress } from './progress.ts'

const waits: Readonly<Record<number, string>> = { 429: 'too many requests', 503: 'the service asks for it' }

export function openClient(target: ClientTarget, signal: AbortSignal, progress: ReadProgress): Vitrine {
  const send = globalThis.fetch
  return new Vitrine({
    ...target,
    signal,
    parse: parseExactly,
    fetch: async (address, init) => {
      const answer = await send(address, init)
      const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
      const why = waits[answer.status]
      if (why !== undefined && seconds > 0) progress.wait(seconds, why)
      return answer
    },
  })
}

/** bound to the given connection, or to the only one of the key */
export async function bindClient(client: Vitrine, { connection }: ClientTarget): Promise<Vitrine> {
  if (connection !== undefined) return client
  const { connections } = await client.whoami()
  // another program at the address may answer anything
  if (!Array.isArray(connections)) throw new UsageError('The service does not list its connections: give --connection.')
  return client.connection(onlyConnection(connections))
}

/** for a mistyped connection: the connections of the key */
export async function hintFor(
  client: Vitrine,
  { connection }: ClientTarget,
  { code }: ReadFailure,
): Promise<string | undefined> {
  if (code !== 'connection_not_found' || connection === undefined) return undefined
  try {
    return connectionHint(connection, (await client.whoami()).connections)
  } catch {
    return undefined
  }
}
