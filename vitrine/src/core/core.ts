// Joins the store, the vault and the platform, for both endpoints and the commands.
import { steadyMs } from '../../../base/core/abort.ts'
import type { AuditEntry } from '../../../base/core/audit.ts'
import type { Connection } from '../connections/connection.ts'
import { createConnectionAdmin } from '../connections/connection-admin.ts'
import { createHosted } from '../connections/hosted.ts'
import {
  accountsOfConnections,
  allConnections,
  createManaged,
  type ManagedSettings,
  showManaged,
} from '../connections/managed.ts'
import { createRotation } from '../connections/rotation.ts'
import { checkVault, checkMasterKeyProof, watchVault } from '../connections/vault-source.ts'
import type { Vault } from '../connections/vault.ts'
import { type AccountsOf, bindOlderGrants, createKeys } from '../keys/keys.ts'
import type { Observe } from '../events.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../platform/client.ts'
import { createOutbound } from '../platform/proxy/outbound.ts'
import { Problem } from '../problems.ts'
import type { Settings } from '../settings.ts'
import { openStore, openStoreToLook } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { kindOf, locate, managedIn, passwordIn, reachOf, type Secrets, vaultIn } from './located.ts'
import { startSweeping } from './sweep.ts'
import { createUses, type UseBook } from '../../../base/watch/read-records.ts'

export interface CoreOptions extends Pick<PlatformOptions, 'leases' | 'schedulerOf'> {
  readonly folder: string
  readonly secrets: Secrets
  readonly settingsName?: string | undefined
  readonly observe: Observe
  readonly now: () => number
  readonly steady?: (() => number) | undefined
  /** for a command that changes nothing: the store is neither made nor migrated */
  readonly onlyLooks?: boolean
  /** for a service, whose store may start after it */
  readonly awaitsStore?: boolean | undefined
}

export type Core = Awaited<ReturnType<typeof openCore>>

/** For commands: managed connections are listed, and opened only on use. */
export async function openCore(settings: Settings, options: CoreOptions) {
  const { folder, secrets, observe } = options
  let vault = vaultIn(folder, settings, secrets)
  const { outbound, platform } = openPlatform(settings, options)
  const store = await openStoreOf(settings, options)
  // stored times are compared with the same clock everywhere
  const now = store.now ?? options.now
  const uses = openUses(store, now)
  const managed = createManaged(platform.bind)
  const hosted = createHosted({
    records: store.connections,
    vault: () => vault,
    bind: platform.bind,
    observe,
    used: uses.connections.mark,
  })
  let current = settings
  const parts = {
    records: store.connections,
    vault: () => vault,
    checkMasterKey: (open: Vault) => checkMasterKeyProof(store, open),
    record: (deed: AuditEntry) => store.audit.append([deed]),
    now,
  }
  const accounts: AccountsOf = (ids) => accountsIn(store, current)(ids)
  let isServing = false
  const decideOld = async (now: Settings) =>
    bindOlderGrants(store.keys, accountsIn(store, now), isServing ? 'ends' : 'waits')
  async function prepare(fresh: Settings) {
    const freshVault = vaultIn(folder, fresh, secrets)
    await checkVault(store, freshVault, observe)
    isServing = true
    await decideOld(fresh)
    const reachAnew = outbound.prepare(fresh)
    const shadowed = await store.connections.present(Object.keys(fresh.connections))
    // synchronous from here: all connections are served, or, after an error, none
    const serve = managed.prepare(managedIn(options, fresh))
    return () => {
      serve()
      reachAnew()
      for (const id of shadowed) observe({ kind: 'shadowed', connection: id })
      vault = freshVault
      current = fresh
    }
  }
  if (!options.onlyLooks) await decideOld(settings).catch(closing(store))
  const stopSweeping = options.onlyLooks ? () => {} : startSweeping(store, hosted, () => decideOld(current))
  return {
    store,
    platform,
    outbound,
    keys: createKeys({ records: store.keys, kind: kindOf(settings), now, used: uses.keys.mark, accounts }),
    /** milliseconds since 1970, by the clock that all replicas share */
    now,
    connections: allConnections(managed, hosted, store.connections),
    connectionAdmin: createConnectionAdmin({
      ...parts,
      managed: () => (managed.list().length > 0 ? managed.list() : showManaged(managedIn(options, current))),
      managedGet: (id) => (managed.find(id) ?? openOne(id, managedIn(options, current), platform)).get,
      bind: platform.bind,
      changed: hosted.forget,
    }),
    rotation: createRotation({ ...parts, compact: () => store.compact(), reseal: (open) => store.audit.reseal(open) }),
    /** Opens the connections of the settings; the returned function starts serving them. Throws what is wrong with them. */
    prepare,
    vault: () => vault,
    /** rejects if there are hosted connections and none can be opened */
    checkVault: watchVault({ store, vault: () => vault, steady: options.steady ?? steadyMs }),
    async close() {
      stopSweeping()
      await flush(uses.keys, uses.connections)
      await platform.close()
      await store.close()
    },
  }
}

function openStoreOf(settings: Settings, { folder, onlyLooks, awaitsStore, observe }: CoreOptions): Promise<Store> {
  const waits = (reason: string, waitsMs: number) => observe({ kind: 'store_awaited', reason, waitsMs })
  return (onlyLooks ? openStoreToLook : openStore)(locate(folder, settings.store), {
    readPassword: passwordIn(folder, settings),
    ...(awaitsStore && { awaiting: { waits } }),
  })
}

const closing = (store: Store) => async (error: unknown) => {
  await store.close()
  throw error
}

const accountsIn =
  (store: Store, { connections }: Settings): AccountsOf =>
  (ids) =>
    accountsOfConnections(ids, connections, store.connections)

function openPlatform(settings: Settings, options: CoreOptions) {
  const { folder, now, steady = steadyMs, leases, schedulerOf, observe } = options
  const outbound = createOutbound(settings, { folder })
  const reach = { ...reachOf(settings), outbound }
  return { outbound, platform: createPlatform({ ...reach, now, steady, leases, schedulerOf, observe }) }
}

const openUses = (store: Store, now: () => number) => ({
  keys: createUses((uses) => store.keys.used(uses), now),
  connections: createUses((uses) => store.connections.used(uses), now),
})

/** a command opens only the key file that it uses */
function openOne(id: string, settings: ManagedSettings, platform: Platform): Connection {
  const one = createManaged(platform.bind)
  try {
    one.load(Object.fromEntries(Object.entries(settings).filter(([name]) => name === id)))
  } catch (error) {
    throw new Problem('private_key_unusable', { message: (error as Error).message })
  }
  const found = one.find(id)
  if (!found) throw new Problem('connection_unknown')
  return found
}

const flush = async (...books: readonly UseBook[]) => {
  for (const book of books) await book.close()
}
