// What a key may do, for whoever holds it: the one answer that needs a key and no connection.
import type { Connections } from '../connections/connection.ts'
import { readGiven } from '../engine/given.ts'
import type { Key } from '../keys/keys.ts'
import { isoOf } from './moment.ts'

/** all ids are read for everybody together, at most so often: there may be thousands */
const rememberedMs = 1_000

export type Whoami = (key: Key, query: string) => Promise<string>

export function createWhoami(connections: Connections): Whoami {
  let all: Promise<readonly string[]> | undefined
  let readMs = 0

  function everything(): Promise<readonly string[]> {
    if (all && performance.now() - readMs < rememberedMs) return all
    readMs = performance.now()
    all = connections.ids()
    // a failure is everybody's who waits for it, and nobody's after them
    all.catch(() => (all = undefined))
    return all
  }

  return async (key, query) => {
    readGiven(query, [])
    const isForAll = key.connections.includes('*')
    const { id, name, groups, perMinute, createdAt, expiresAt } = key
    const { live, ended } = await connections.sortGrants(key)
    return JSON.stringify({
      id,
      name,
      connections: isForAll ? await everything() : live,
      endedConnections: ended,
      allConnections: isForAll,
      ...{ groups, perMinute, createdAt: isoOf(createdAt), expiresAt: isoOf(expiresAt) },
    })
  }
}
