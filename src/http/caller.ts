// Who asks, and what he may ask for: bad keys from his network, key, rate, path, method, connection, group, in this order
// and no other. With a key alone he may ask what that key may do, and be an agent.
// Nothing here costs a platform call, and an outsider gets one answer whatever he asks.
import type { Group } from '../catalogue/define.ts'
import type { Connection, Connections } from '../connections/connection.ts'
import type { Key, Keys } from '../keys/keys.ts'
import type { Allowance, Rates } from '../keys/rate.ts'
import { Problem } from '../problem.ts'
import type { BadKeys, Knocking } from './bad-keys.ts'
import type { Match } from './paths.ts'
import { connectionIn, statusGroup, statusOperation } from './status.ts'

export interface Asking extends Knocking {
  readonly method: string
  readonly path: string
}

export interface Admitted {
  readonly key: Key
  /** undefined for whoever asks who he is, or how a connection stands */
  readonly asked?: Match & { readonly open: Connection }
  /** whose state is asked for */
  readonly standing?: Connection
  /** an agent, whose message is still to be read */
  readonly isAgent?: true
}

export const whoamiPath = '/v1/whoami'
const agentsPath = '/mcp'
export const agentsOperation = 'mcp'

export interface Doorkeeper {
  readonly keys: Keys
  readonly badKeys: BadKeys
  readonly rates: Rates
  readonly connections: Connections
  readonly match: (path: string) => Match | undefined
  /** throws while the audit of reads cannot take another line of this caller */
  readonly requireRoom: (who: string) => void
}

export interface Witness {
  /** told as soon as they are known, so that a refusal carries them too */
  key?(key: Key): void
  allowance?(allowance: Allowance): void
  operation?(name: string): void
  /** it is one of ours, and not some text in a path */
  connection?(open: Connection): void
}

function tellTurn(allowance: Allowance | undefined, witness: Witness) {
  if (!allowance) return
  witness.allowance?.(allowance)
  if (!allowance.allowed) throw new Problem('key_rate_limited', { retryAfterSec: allowance.resetSec })
}

interface Wanted {
  readonly operation: string
  readonly group: Group
  readonly connection: string
  /** undefined for the one question below a connection that is no route of the catalogue */
  readonly match?: Match
}

function wantedAt(path: string, { match }: Doorkeeper): Wanted {
  const found = match(path)
  if (!found) {
    const connection = connectionIn(path)
    if (connection === undefined) throw new Problem('route_not_found')
    return { operation: statusOperation, group: statusGroup, connection }
  }
  const { operation, group } = found.route
  return { operation, group, connection: found.connection, match: found }
}

function requireReading(method: string) {
  if (method !== 'GET' && method !== 'HEAD') throw new Problem('method_not_allowed')
}

/** what is asked for there are reads as well: only the question is too large for a path */
function requirePost(method: string) {
  if (method === 'POST') return
  const message = 'Agents ask by POST here. There is no stream to be opened, and no session to be ended.'
  throw new Problem('method_not_allowed', { message, details: { allowed: ['POST'] } })
}

export async function admit(asking: Asking, door: Doorkeeper, witness: Witness): Promise<Admitted> {
  const key = await door.badKeys.hear(asking, () => door.keys.authenticate(asking.authorization))
  witness.key?.(key)
  tellTurn(await door.rates.take(key), witness)
  door.requireRoom(`key:${key.id}`)

  if (asking.path === whoamiPath) {
    witness.operation?.('whoami')
    requireReading(asking.method)
    return { key }
  }
  if (asking.path === agentsPath) {
    witness.operation?.(agentsOperation)
    requirePost(asking.method)
    return { key, isAgent: true }
  }
  const { operation, group, connection, match } = wantedAt(asking.path, door)
  witness.operation?.(operation)
  requireReading(asking.method)

  // absent, out of scope, and another account under the name of one that was granted: one answer
  const open = await door.connections.findGranted(key, connection)
  if (!open) throw new Problem('connection_not_found')
  witness.connection?.(open)
  if (!key.groups.includes(group)) throw new Problem('group_not_granted', { details: { group } })
  return match ? { key, asked: { ...match, open } } : { key, standing: open }
}
