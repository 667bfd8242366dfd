// Authorizes a request: bad keys of the network, key, rate limit, path, method, connection, group, always in this order.
// No platform call is made here, and without a valid key every request gets the same answer.
import type { Group, Route } from '../catalogue/define.ts'
import { appScopeOf } from '../catalogue/ownership.ts'
import { withoutPersonal } from '../catalogue/personal.ts'
import type { Connection, Connections } from '../connections/connection.ts'
import { type FacadeKey, grantOf, type Keys } from '../keys/keys.ts'
import type { KeyAllowance, KeyRates, Attempt, BadKeys } from '../../../base/auth/rate-limits.ts'
import { Problem } from '../problems.ts'
import type { Match } from '../engine/request.ts'
import { connectionIn, statusGroup, statusOperation } from './status.ts'

export interface Asking extends Attempt {
  readonly method: string
  readonly path: string
}

export interface Admitted {
  readonly key: FacadeKey
  /** undefined for `whoami`, the state of a connection, and agents */
  readonly asked?: Match & { readonly open: Connection }
  readonly standing?: Connection
  /** a request of an agent, whose body is still to be read */
  readonly isAgent?: true
}

export const whoamiPath = '/v1/whoami'
const agentsPath = '/mcp'
export const agentsOperation = 'mcp'

export interface Authorization {
  readonly keys: Keys
  readonly badKeys: BadKeys
  readonly rates: KeyRates
  /** of platform calls in an hour */
  readonly budgets: KeyRates
  readonly connections: Connections
  readonly match: (path: string) => Match | undefined
  /** throws if the audit log cannot take another line of this caller */
  readonly requireRoom: (who: string) => void
}

export interface Witness {
  /** called as soon as each is known, so that refusals are recorded with them */
  key?(key: FacadeKey): void
  allowance?(allowance: KeyAllowance): void
  operation?(name: string): void
  /** an existing connection, never text of a path */
  connection?(open: Connection): void
}

function requireAllowance(allowance: KeyAllowance | undefined, witness: Witness) {
  if (!allowance) return
  witness.allowance?.(allowance)
  if (!allowance.allowed) throw new Problem('key_rate_limited', { retryAfterSec: allowance.resetSec })
}

interface Wanted {
  readonly operation: string
  readonly group: Group
  readonly connection: string
  /** undefined for the state of a connection, which is no route of the catalogue */
  readonly match?: Match
}

function wantedAt(path: string, { match }: Authorization): Wanted {
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

/** agents only read, but the request does not fit into a path */
function requirePost(method: string) {
  if (method === 'POST') return
  const message = 'Agents ask by POST here. There is no stream to be opened, and no session to be ended.'
  throw new Problem('method_not_allowed', { message, details: { allowed: ['POST'] } })
}

function requireAppScope(route: Route) {
  const { refused } = appScopeOf(route)
  if (refused !== undefined) throw new Problem('route_not_for_apps', { message: refused })
}

export async function authorize(asking: Asking, access: Authorization, witness: Witness): Promise<Admitted> {
  const key = await access.badKeys.authenticate(asking, () => access.keys.authenticate(asking.authorization))
  witness.key?.(key)
  requireAllowance(await access.rates.take(key), witness)
  access.requireRoom(`key:${key.id}`)

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
  const { operation, group, connection, match } = wantedAt(asking.path, access)
  witness.operation?.(operation)
  requireReading(asking.method)

  // the same answer for an absent, an ungranted and a reassigned connection
  const granted = grantOf(key, connection)
  const open = granted && (await access.connections.find(connection, granted.account))
  if (!open) throw new Problem('connection_not_found')
  witness.connection?.(open)
  if (!key.groups.includes(group)) throw new Problem('group_not_granted', { details: { group } })
  if (!match) return { key, standing: open }
  if (key.apps) requireAppScope(match.route)
  const route = key.personal ? match.route : withoutPersonal(match.route)
  return { key, asked: { ...match, route, open } }
}
