// Joins what holds keys and connections: the store, the vault, the platform. The doors and the command line stand on
// it. Long because each part has its lines here.
import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { accountsBehind } from './connections/accounts.ts'
import type { Connection, Connections } from './connections/connection.ts'
import { createDesk, type Desk } from './connections/desk.ts'
import { createHosted, type Hosted } from './connections/hosted.ts'
import { createManaged, type Managed, type ManagedSettings, showManaged } from './connections/managed.ts'
import { createRotation, type Rotation } from './connections/rotation.ts'
import { checkVault, openVault, vouch, watchVault } from './connections/vault-source.ts'
import type { Vault } from './connections/vault.ts'
import { accountGranted, type AccountsOf, anyAccount, decideGrants, namedBy, sortGrants } from './keys/grants.ts'
import { createKeys, type Keys } from './keys/keys.ts'
import type { Observe } from './observe.ts'
import { createPlatform, type Platform, type PlatformOptions } from './platform/client.ts'
import { Problem } from './problem.ts'
import type { Settings } from './settings.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/records.ts'
import { createUses, type UseBook } from './uses.ts'

/** what is secret in the surroundings, and therefore no setting */
export interface Secrets {
  readonly masterKeys?: string | undefined
  readonly operatorToken?: string | undefined
}

export interface OfficeOptions extends Pick<PlatformOptions, 'governorOf' | 'leases'> {
  /** the folder that relative paths of the settings start at */
  readonly folder: string
  readonly secrets: Secrets
  /** name of the settings file, or of the variable, that names the connections */
  readonly settingsName?: string | undefined
  readonly observe: Observe
  readonly now: () => number
  readonly steady?: (() => number) | undefined
}

export interface Office {
  readonly store: Store
  readonly platform: Platform
  readonly keys: Keys
  /** milliseconds since 1970, by the clock that all who use the store share */
  readonly now: () => number
  /** what callers read through */
  readonly connections: Connections
  readonly desk: Desk
  readonly rotation: Rotation
  /** undefined where there are no master keys */
  readonly vault: () => Vault | undefined
  /** Opens the connections of the settings, to be served once the answer is called; throws what is wrong with them. */
  prepare(settings: Settings): Promise<() => void>
  /** rejects while no hosted connection can be opened, where there are some */
  readonly checkVault: () => Promise<void>
  close(): Promise<void>
}

const sweepMs = 1_000

export const within = (folder: string, path: string): string => (isAbsolute(path) ? path : resolve(folder, path))

/** where the store is, with a relative path starting at the settings file */
export function locate(folder: string, store: string): string {
  const path = /^sqlite:(.*)$/.exec(store)?.[1]
  return path === undefined ? store : `sqlite:${within(folder, path)}`
}

type Where = Pick<OfficeOptions, 'folder' | 'settingsName'>

/** the connections of the settings, with whole paths of their key files */
export function managedIn({ folder, settingsName }: Where, { connections }: Settings): ManagedSettings {
  const located = Object.entries(connections).map(([id, one]) => {
    const { privateKeyFile } = one
    const source = { settings: settingsName ?? null, privateKeyFile }
    return [id, { ...one, source, privateKeyFile: within(folder, privateKeyFile) }] as const
  })
  return Object.fromEntries(located)
}

function kindOf(settings: Settings): 'test' | 'live' {
  // plain http is a platform on this machine, which is a sandbox
  return settings['upstream.baseUrl'].startsWith('http:') ? 'test' : 'live'
}

/** how the platform is reached */
export const reachOf = (settings: Settings) => ({
  baseUrl: settings['upstream.baseUrl'],
  connectMs: settings['upstream.connectMs'],
  headersMs: settings['upstream.headersMs'],
  idleMs: settings['upstream.idleMs'],
  totalMs: settings['upstream.totalMs'],
  concurrency: settings['upstream.concurrency'],
  answerBytes: settings['limits.answerMegabytes'] * 1024 * 1024,
  privateAddresses: settings['upstream.privateAddresses'],
})

/** undefined where there are no master keys */
export const vaultIn = (folder: string, { masterKeysFile: file }: Settings, secrets: Secrets): Vault | undefined =>
  openVault({ file: file === undefined ? undefined : within(folder, file), text: secrets.masterKeys })

/** as the file holds it by now; what is wrong with the file was told at the start */
function passwordIn(folder: string, { storePasswordFile: file }: Settings): (() => string | undefined) | undefined {
  if (file === undefined) return undefined
  return () => {
    try {
      return readFileSync(within(folder, file), 'utf8').replace(/\r?\n$/, '')
    } catch {
      return undefined
    }
  }
}

/** For the line of commands: managed connections are shown, and opened only when they are asked for. */
export async function openOffice(settings: Settings, options: OfficeOptions): Promise<Office> {
  const { folder, secrets, observe } = options
  let vault = vaultIn(folder, settings, secrets)
  const platform = createPlatform({
    ...reachOf(settings),
    ...{ now: options.now, steady: options.steady, governorOf: options.governorOf, leases: options.leases, observe },
  })
  const store = await openStore(locate(folder, settings.store), { readPassword: passwordIn(folder, settings) })
  // what is stored with a time is compared with the same clock, wherever that is done
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
    vouch: (open: Vault) => vouch(store, open),
    record: (deed: Parameters<Store['audit']['append']>[0][number]) => store.audit.append([deed]),
    now,
  }
  const accountsIn =
    ({ connections }: Settings): AccountsOf =>
    (ids) =>
      accountsBehind(ids, connections, store.connections)
  const accounts: AccountsOf = (ids) => accountsIn(current)(ids)
  let isServing = false
  const decideOld = async (now: Settings) => decideGrants(store.keys, accountsIn(now), isServing ? 'ends' : 'waits')
  async function prepare(fresh: Settings) {
    const freshVault = vaultIn(folder, fresh, secrets)
    await checkVault(store, freshVault, observe)
    isServing = true
    await decideOld(fresh)
    const shadowed = await store.connections.present(Object.keys(fresh.connections))
    // from here on nothing waits: all of it is served, or, where a key is wrong, nothing of it
    const serve = managed.prepare(managedIn(options, fresh))
    return () => {
      serve()
      for (const id of shadowed) observe({ kind: 'shadowed', connection: id })
      vault = freshVault
      current = fresh
    }
  }
  await decideOld(settings).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const stopSweeping = sweepOften(store, hosted, () => decideOld(current))
  return {
    store,
    platform,
    keys: createKeys({ records: store.keys, kind: kindOf(settings), now, used: uses.keys.mark, accounts }),
    now,
    connections: both(managed, hosted, store, accounts),
    desk: createDesk({
      ...parts,
      managed: () => (managed.list().length > 0 ? managed.list() : showManaged(managedIn(options, current))),
      managedGet: (id) => (managed.find(id) ?? openOne(id, managedIn(options, current), platform)).get,
      bind: platform.bind,
      changed: hosted.forget,
    }),
    rotation: createRotation({
      ...{ ...parts, compact: () => store.compact(), reseal: (open) => store.audit.reseal(open) },
    }),
    ...{ prepare, vault: () => vault },
    checkVault: watchVault({ store, vault: () => vault, steady: options.steady ?? (() => performance.now()) }),
    async close() {
      stopSweeping()
      await flush(uses.keys, uses.connections)
      await platform.close()
      await store.close()
    },
  }
}

const openUses = (store: Store, now: () => number) => ({
  keys: createUses((uses) => store.keys.used(uses), now),
  connections: createUses((uses) => store.connections.used(uses), now),
})

const noAccounts: ReadonlyMap<string, string> = new Map()

/** those of the settings come first: their ids are the operator's own */
const both = (managed: Managed, hosted: Hosted, store: Store, accounts: AccountsOf): Connections => ({
  find: async (id) => managed.find(id) ?? hosted.find(id),
  async findGranted(grants, id) {
    const granted = accountGranted(grants, id)
    if (granted === undefined) return undefined
    const account = granted === anyAccount ? undefined : granted
    const found = managed.find(id)
    if (!found) return hosted.find(id, account)
    return account === undefined || found.account === account ? found : undefined
  },
  sortGrants: async (grants) => {
    const named = namedBy(grants)
    return sortGrants(grants, named.length > 0 ? await accounts(named) : noAccounts)
  },
  ids: async () => [...new Set([...managed.list().map(({ id }) => id), ...(await store.connections.ids())])].sort(),
  isManaged: (id) => managed.find(id) !== undefined,
  opened: () => [...managed.all(), ...hosted.all().filter(({ id }) => !managed.find(id))],
})

/** the command line opens no other key file than the one that it tries */
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

/** the acts that take a row away; lines of reads, which may come by the thousand, are none */
const leavings = ['connections.replace', 'connections.remove']
/** a row that was taken away by hand is in no audit */
const anywayMs = 60_000

/** what was opened must not outlive its row, wherever that was removed */
function sweepOften(store: Store, hosted: Hosted, decideOld: () => Promise<void>): () => void {
  let last = -1
  let wasNew = false
  let sweptAt = performance.now()
  let sweeping = false
  const timer = setInterval(() => {
    if (sweeping) return
    sweeping = true
    void (async () => {
      const latest = await store.audit.latestOf(leavings)
      const isDue = performance.now() - sweptAt > anywayMs
      // and once more a turn later: what was remembered for a moment may have been opened after the first
      if (latest !== last || wasNew || isDue) {
        await hosted.sweep()
        // replicas of an older version, which are replaced one by one, still make keys
        if (isDue) await decideOld()
        sweptAt = performance.now()
      }
      wasNew = latest !== last
      last = latest
    })()
      // a store that cannot be asked is told of by every request; the next turn asks again
      .catch(() => {})
      .finally(() => (sweeping = false))
  }, sweepMs)
  timer.unref()
  return () => clearInterval(timer)
}

const flush = async (...books: readonly UseBook[]) => {
  for (const book of books) await book.close()
}
