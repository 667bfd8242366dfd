// Joins the store, the engine and the accounts, for the service and for the commands.
import { resolve } from 'node:path'
import type { Database } from '../../base/store/sql.ts'
import { createApiKeys } from './accounts/api-keys.ts'
import type { Engine } from './engine/port.ts'
import { confinedEngine } from './engine/confinement.ts'
import { createEngine } from './engine/create-engine.ts'
import { watchedEngine } from './engine/watched.ts'
import type { Observe } from './events.ts'
import { measuredDatabase, measuredEngine } from './metrics/measured.ts'
import type { Settings } from './settings.ts'
import { openDatabase } from './store/open.ts'
import { storeOver } from './store/store.ts'

export interface CoreOptions {
  /** relative paths of the settings start here */
  readonly folder: string
  readonly observe: Observe
  readonly now?: () => number
  /** for a service, whose store may start after it */
  readonly awaitsStore?: boolean
}

export interface CoreParts {
  readonly db: Database
  readonly engine: Engine
}

export const locate = (folder: string, store: string): string =>
  store.startsWith('sqlite:') ? `sqlite:${resolve(folder, store.slice('sqlite:'.length))}` : store

export const engineOf = (settings: Settings, folder: string): Engine =>
  createEngine({
    socket: resolve(folder, settings['engine.socket']),
    instance: settings.instance,
    runtime: settings['engine.runtime'],
    seccompProfile: settings['engine.seccompProfile'],
    usesResident: settings['engine.commands'] === 'resident',
  })

export async function coreOver(parts: CoreParts, { observe, now = Date.now }: CoreOptions) {
  const store = storeOver(measuredDatabase(parts.db, observe))
  const engine = confinedEngine(watchedEngine(measuredEngine(parts.engine, observe), observe))
  const keys = createApiKeys({ rows: store.keys, secret: await store.secret('keys'), now, observe })
  return {
    store,
    engine,
    keys,
    now,
    async close() {
      engine.close()
      await store.close()
    },
  }
}

export async function openCore(settings: Settings, options: CoreOptions) {
  const { awaitsStore, observe } = options
  const waits = (reason: string, waitsMs: number) => observe({ kind: 'store_awaited', reason, waitsMs })
  const opening = awaitsStore ? { awaiting: { waits } } : {}
  const db = await openDatabase(locate(options.folder, settings.store), opening)
  return coreOver({ db, engine: engineOf(settings, options.folder) }, options)
}

export type Core = Awaited<ReturnType<typeof openCore>>
