// Connections of the settings. A reload replaces all of them, or none if one of them is wrong. With the hosted ones they are
// one set of names, in which they come first: the operator chose their ids.
import type { ConnectionSettings } from '../connection-settings.ts'
import type { Upstream } from '../platform/port.ts'
import type { ConnectionRecords } from '../store/connection-rows.ts'
import {
  type BindUpstream,
  type Connection,
  type Connections,
  identityOf,
  type ShownConnection,
  type SettingsSource,
} from './connection.ts'
import type { Credential } from '../platform/auth/signer.ts'
import type { Hosted } from './hosted.ts'
import { type KeyFile, readKeyFile } from './key-file.ts'

export interface LocatedConnection extends ConnectionSettings {
  readonly source: SettingsSource
}

export type ManagedSettings = Readonly<Record<string, LocatedConnection>>

export type Managed = ReturnType<typeof createManaged>

interface OpenConnection {
  readonly upstream: Upstream
  readonly connection: Connection
  readonly shown: ShownConnection
}

/** names the account, not its key: a team's key can be rotated; an individual key has nothing else */
export const accountOf = ({ issuerId, keyId }: Pick<ConnectionSettings, 'issuerId' | 'keyId'>): string =>
  issuerId ?? `user ${keyId}`

const shownWithoutKey = (id: string, { keyId, issuerId, linkage, tokenScope, source }: LocatedConnection) => ({
  id,
  kind: 'managed' as const,
  keyId,
  issuerId: issuerId ?? null,
  linkage: linkage ?? null,
  tokenScope: tokenScope ?? null,
  source,
  createdAt: null,
  replacedAt: null,
  lastUsedAt: null,
})

/** The account behind each id that exists; a managed connection hides a hosted one of its id. */
export async function accountsOfConnections(
  ids: readonly string[],
  managed: Readonly<Record<string, ConnectionSettings>>,
  hosted: Pick<ConnectionRecords, 'stamps'>,
): Promise<ReadonlyMap<string, string>> {
  const accounts = new Map<string, string>()
  const others: string[] = []
  for (const id of ids) {
    const settings = Object.hasOwn(managed, id) ? managed[id] : undefined
    if (settings) accounts.set(id, accountOf(settings))
    else others.push(id)
  }
  if (others.length > 0) for (const [id, { epoch }] of await hosted.stamps(others)) accounts.set(id, epoch)
  return accounts
}

/** for display: an unreadable key file does not throw */
export function showManaged(settings: ManagedSettings): ShownConnection[] {
  return Object.entries(settings).map(([id, one]) => {
    const shown = shownWithoutKey(id, one)
    try {
      return { ...shown, fingerprint: readKeyFile(one.privateKeyFile).fingerprint }
    } catch {
      return { ...shown, fingerprint: null, source: { ...one.source, privateKeyFile: null } }
    }
  })
}

const managedCredential = ({ keyId, issuerId, tokenScope }: ConnectionSettings, file: KeyFile): Credential => ({
  keyId,
  ...(issuerId !== undefined && { issuerId }),
  ...(tokenScope && { tokenScope }),
  get key() {
    return file.key()
  },
})

/** connections may share a key file */
function readEachOnce(): (file: string) => KeyFile {
  const known = new Map<string, KeyFile>()
  return (file) => {
    const found = known.get(file) ?? readKeyFile(file)
    known.set(file, found)
    return found
  }
}

export function createManaged(bind: BindUpstream) {
  // a Map: an id may equal the name of an object's member
  let kept = new Map<string, OpenConnection>()

  function open(id: string, settings: LocatedConnection, file: KeyFile): OpenConnection {
    const { linkage, cacheSeconds } = settings
    const shown = { ...shownWithoutKey(id, settings), fingerprint: file.fingerprint }
    const held = kept.get(id)
    const rest = { linkage: linkage === 'asked', ...(cacheSeconds !== undefined && { cacheSeconds }) }
    // an unchanged connection keeps its tokens; its key file may have moved
    const identity = identityOf('managed', JSON.stringify({ ...shown, source: null }))
    const isSame = held?.connection.identity === identity
    const upstream = isSame ? held.upstream : bind(managedCredential(settings, file), id, identity)
    return { shown, upstream, connection: { id, account: accountOf(settings), identity, ...rest, ...upstream } }
  }

  function prepare(settings: ManagedSettings): () => void {
    const fresh = new Map<string, OpenConnection>()
    const wrong: string[] = []
    const read = readEachOnce()
    for (const [id, one] of Object.entries(settings)) {
      try {
        fresh.set(id, open(id, one, read(one.privateKeyFile)))
      } catch (error) {
        wrong.push(`connections.${id}.privateKeyFile (${one.privateKeyFile}): ${(error as Error).message}`)
      }
    }
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
    return () => (kept = fresh)
  }

  return {
    find: (id: string) => kept.get(id)?.connection,
    list: () => [...kept.values()].map(({ shown }) => shown),
    all: () => [...kept.values()].map(({ connection }) => connection),
    /** Throws one Error that names every connection with an unusable key. Serves the new ones when what it returns is called. */
    prepare,
    load: (settings: ManagedSettings) => prepare(settings)(),
  }
}

export const allConnections = (
  managed: Managed,
  hosted: Hosted,
  records: Pick<ConnectionRecords, 'ids'>,
): Connections => ({
  async find(id, account) {
    const found = managed.find(id)
    if (!found) return hosted.find(id, account)
    return account === undefined || found.account === account ? found : undefined
  },
  ids: async () => [...new Set([...managed.list().map(({ id }) => id), ...(await records.ids())])].sort(),
  isManaged: (id) => managed.find(id) !== undefined,
  opened: () => [...managed.all(), ...hosted.all().filter(({ id }) => !managed.find(id))],
})
