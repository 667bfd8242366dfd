// `whoami`: what the caller's key may read. Needs a key and no connection.
import type { Connections } from '../connections/connection.ts'
import { readQueryString } from '../../../base/web/target.ts'
import { type KeyBudget, shownBudget } from './call-budget.ts'
import type { FacadeKey, Keys } from '../keys/keys.ts'
import { isoOf } from '../../../base/core/moment.ts'

/** the ids of all connections, maybe thousands, are read at most this often */
const rememberedMs = 1_000

export type Whoami = (key: FacadeKey, budget: KeyBudget | undefined, query: string) => Promise<string>

export function createWhoami(keys: Pick<Keys, 'endedOf'>, connections: Connections): Whoami {
  let all: Promise<readonly string[]> | undefined
  let readMs = 0

  function everything(): Promise<readonly string[]> {
    if (all && performance.now() - readMs < rememberedMs) return all
    readMs = performance.now()
    all = connections.ids()
    // a failure goes to all who wait now; the next request tries again
    all.catch(() => (all = undefined))
    return all
  }

  return async (key, budget, query) => {
    readQueryString(query, [])
    const isForAll = key.connections.includes('*')
    const { id, name, groups, apps, personal, perMinute, createdAt, expiresAt } = key
    const ended = (await keys.endedOf([key]))(key)
    return JSON.stringify({
      id,
      name,
      connections: isForAll ? await everything() : key.connections.filter((one) => !ended.includes(one)),
      endedConnections: ended,
      allConnections: isForAll,
      groups,
      apps,
      personal,
      perMinute,
      platformCalls: shownBudget(budget),
      createdAt: isoOf(createdAt),
      expiresAt: isoOf(expiresAt),
    })
  }
}
