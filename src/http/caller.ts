// Who asks, and what he may ask for: key, rate, path, method, connection, group, in this order and no other.
// Nothing here costs a platform call, and an outsider gets one answer whatever he asks.
import type { Connection, Connections } from '../connections/managed.ts'
import type { Key, Keys } from '../keys/keys.ts'
import type { Allowance, Rates } from '../keys/rate.ts'
import { Problem } from '../problem.ts'
import type { Match } from './paths.ts'

export interface Asking {
  readonly authorization: string | undefined
  readonly method: string
  readonly path: string
}

export interface Admitted extends Match {
  readonly key: Key
  readonly open: Connection
}

export interface Doorkeeper {
  readonly keys: Keys
  readonly rates: Rates
  readonly connections: Connections
  readonly match: (path: string) => Match | undefined
}

export interface Witness {
  /** told as soon as they are known, so that a refusal carries them too */
  key?(key: Key): void
  allowance?(allowance: Allowance): void
  match?(match: Match): void
  /** its id was one of ours, and not some text in a path */
  connection?(id: string): void
}

const mayRead = (key: Key, connection: string): boolean =>
  key.connections.includes('*') || key.connections.includes(connection)

async function takeTurn(key: Key, rates: Rates, witness: Witness) {
  const allowance = await rates.take(key)
  if (!allowance) return
  witness.allowance?.(allowance)
  if (!allowance.allowed) throw new Problem('key_rate_limited', { retryAfterSec: allowance.resetSec })
}

export async function admit(asking: Asking, door: Doorkeeper, witness: Witness): Promise<Admitted> {
  const key = await door.keys.authenticate(asking.authorization)
  witness.key?.(key)
  await takeTurn(key, door.rates, witness)

  const match = door.match(asking.path)
  if (!match) throw new Problem('route_not_found')
  witness.match?.(match)
  if (asking.method !== 'GET' && asking.method !== 'HEAD') throw new Problem('method_not_allowed')

  // absent, revoked and out of scope: one path through the code, one answer
  const open = door.connections.find(match.connection)
  if (!open || !mayRead(key, match.connection)) throw new Problem('connection_not_found')
  witness.connection?.(open.id)
  const { group } = match.route
  if (!key.groups.includes(group)) throw new Problem('group_not_granted', { details: { group } })
  return { ...match, key, open }
}
