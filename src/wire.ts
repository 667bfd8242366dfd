// The only file that knows every part: from settings to a service that can listen, and to a ring of keys.
import { setMaxListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Route } from './catalogue/define.ts'
import { routes as ours } from './catalogue/index.ts'
import { openManaged } from './connections/managed.ts'
import examples from './derive/examples.json' with { type: 'json' }
import { describe } from './derive/openapi.ts'
import { createCursors } from './engine/cursor.ts'
import { createPublicDoor } from './http/app.ts'
import { createMatcher } from './http/paths.ts'
import { createKeys, type Keys } from './keys/keys.ts'
import { createRates } from './keys/rate.ts'
import type { Observe } from './observe.ts'
import { createPlatform } from './platform/client.ts'
import { Problem } from './problem.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store/records.ts'
import { openSqlite } from './store/sqlite.ts'

export interface House {
  /** starts to listen, and answers the address */
  listen(): Promise<string>
  /** readiness goes first, and callers are still served for the grace; then requests under way finish, and nobody new is let in */
  close(how?: { graceMs?: number }): Promise<void>
  readonly keys: Keys
  readonly connections: readonly string[]
}

export interface Surroundings {
  /** the folder that relative paths of the settings start at */
  readonly folder: string
  readonly observe: Observe
  readonly routes?: readonly Route[]
  readonly now?: () => number
}

/** how long the last requests may wait for the platform when the service stops */
const patienceMs = 9_000
/** and how long their answers may then take to leave */
const unsentMs = 2_000

const within = (folder: string, path: string): string => (isAbsolute(path) ? path : resolve(folder, path))

function keysOver(store: Store, settings: Settings, now: () => number): Keys {
  // plain http is a platform on this machine, which is a sandbox
  const kind = settings['upstream.baseUrl'].startsWith('http:') ? 'test' : 'live'
  return createKeys({ records: store.keys, kind, now })
}

/** keys alone, for the command line; `close` when done */
export function openKeyring(settings: Settings, folder: string): { keys: Keys; close: () => Promise<void> } {
  const store = openSqlite(within(folder, settings.store))
  return { keys: keysOver(store, settings, Date.now), close: () => store.close() }
}

const urlOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** Opens everything that can fail before a port is bound, so that a wrong setting never half starts. */
export async function openHouse(
  settings: Settings,
  { folder, observe, routes = ours, now = Date.now }: Surroundings,
): Promise<House> {
  const platform = createPlatform({ baseUrl: settings['upstream.baseUrl'], now })
  const files = Object.entries(settings.connections).map(([id, one]) => [
    id,
    { ...one, privateKeyFile: within(folder, one.privateKeyFile) },
  ])
  const connections = openManaged(Object.fromEntries(files), platform.bind)
  const store = openSqlite(within(folder, settings.store))
  const keys = keysOver(store, settings, now)
  let stopping = false
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const { app, drain } = createPublicDoor({
    keys,
    rates: createRates(settings['rateLimit.perMinute']),
    connections,
    match: createMatcher(routes),
    cursors: createCursors(await store.secret('cursor'), now),
    origin: platform.origin,
    timeoutMs: settings['upstream.timeoutMs'],
    description: JSON.stringify(describe(routes, examples)),
    stopping: () => stopping,
    giveUp: stop.signal,
    ready: async () => {
      if (stopping) throw new Problem('stopping')
      await store.check()
    },
    observe,
    now,
  })
  return {
    keys,
    connections: connections.ids(),
    async listen() {
      const { host, port } = settings.listen
      await app.listen({ host, port })
      const url = urlOf(app.server.address() as AddressInfo)
      observe({ kind: 'started', url, connections: connections.ids().length, node: process.version })
      return url
    },
    async close({ graceMs = 0 } = {}) {
      stopping = true
      await setTimeout(graceMs)
      const late = globalThis.setTimeout(() => stop.abort(), patienceMs)
      await drain(patienceMs + unsentMs)
      clearTimeout(late)
      await app.close()
      await platform.close()
      await store.close()
    },
  }
}
